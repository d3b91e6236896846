package sandbox

import (
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// forbidden are the system calls that a simulation does not need: all of the network, what reaches other processes,
// and doors to the kernel. They fail with "operation not permitted".
var forbidden = []uint32{
	unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN, unix.SYS_ACCEPT, unix.SYS_ACCEPT4,
	unix.SYS_SENDTO, unix.SYS_SENDMSG, unix.SYS_SENDMMSG, unix.SYS_RECVFROM, unix.SYS_RECVMSG, unix.SYS_RECVMMSG,
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_PROCESS_MADVISE,
	unix.SYS_PIDFD_OPEN, unix.SYS_PIDFD_GETFD, unix.SYS_PIDFD_SEND_SIGNAL, unix.SYS_KCMP,
	unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_RT_SIGQUEUEINFO, unix.SYS_RT_TGSIGQUEUEINFO, unix.SYS_PRLIMIT64,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_IO_URING_SETUP, unix.SYS_KEYCTL, unix.SYS_ADD_KEY,
	unix.SYS_REQUEST_KEY, unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_FSOPEN,
	unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_OPEN_BY_HANDLE_AT,
	unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_REBOOT,
	unix.SYS_SWAPON, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_SETHOSTNAME,
	unix.SYS_SHMGET, unix.SYS_MSGGET, unix.SYS_SEMGET, unix.SYS_MQ_OPEN, unix.SYS_PERSONALITY,
}

// Offsets in struct seccomp_data: number of the call, architecture, low half of the first argument.
const (
	atNumber    = 0
	atArch      = 4
	atArgument0 = 16
)

// otherABI is the first number of the x32 system calls, which would go around the list.
const otherABI = 0x40000000

// closeCalls installs the filter for this thread and those that it starts.
func closeCalls(strict bool) error {
	arch, ok := map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}[runtime.GOARCH]
	if !ok {
		if strict {
			return fmt.Errorf("there is no filter for %s", runtime.GOARCH)
		}
		return nil
	}
	filter := callFilter(arch, uint32(unix.Getpid()))
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	err := unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0)
	if err != nil && !strict {
		return nil
	}
	return err
}

// callFilter is the list as a program of the kernel's packet filter. Signals between the threads of the process itself,
// whose number stays the same when it becomes another program, are allowed: Go's scheduler sends them.
func callFilter(arch, pid uint32) []unix.SockFilter {
	const (
		load    = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equal   = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		reaches = unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K
		answer  = unix.BPF_RET | unix.BPF_K
		deny    = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	)
	filter := []unix.SockFilter{
		{Code: load, K: atArch},
		{Code: equal, K: arch, Jt: 1},
		{Code: answer, K: unix.SECCOMP_RET_KILL_PROCESS},
		{Code: load, K: atNumber},
		{Code: reaches, K: otherABI, Jf: 1},
		{Code: answer, K: deny},
	}
	for _, number := range forbidden {
		filter = append(filter, unix.SockFilter{Code: equal, K: number, Jf: 1}, unix.SockFilter{Code: answer, K: deny})
	}
	return append(
		filter,
		unix.SockFilter{Code: equal, K: unix.SYS_TGKILL, Jf: 3},
		unix.SockFilter{Code: load, K: atArgument0},
		unix.SockFilter{Code: equal, K: pid, Jt: 1},
		unix.SockFilter{Code: answer, K: deny},
		unix.SockFilter{Code: answer, K: unix.SECCOMP_RET_ALLOW},
	)
}
