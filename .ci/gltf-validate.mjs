// Checks .glb files with the Khronos glTF validator: node .ci/gltf-validate.mjs FILE...
//
// Any error or warning fails. The validator is installed by name and version into a temporary
// folder, so that the project itself depends on no package of that kind.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const VALIDATOR = "gltf-validator@2.0.0-dev.3.10";

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error("usage: node gltf-validate.mjs FILE.glb...");
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "gltf-validator-"));
let failed = false;
try {
  execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, VALIDATOR], { stdio: "inherit" });
  const { validateBytes } = createRequire(join(folder, "package.json"))("gltf-validator");
  for (const file of files) {
    const report = await validateBytes(new Uint8Array(readFileSync(file)), { uri: file, maxIssues: 100 });
    const { numErrors, numWarnings, numInfos, messages } = report.issues;
    console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} infos`);
    for (const m of messages.filter((m) => m.severity < 2)) {
      console.log(`  ${m.code} at ${m.pointer ?? m.offset}: ${m.message}`);
      failed = true;
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
