"""Plays and writes point caches in Blender, for blender_cache_test.go.

Usage: blender -b --factory-startup --python blender_cache.py -- DIR

Plays DIR/ours.pc2, DIR/ours.mdd and the Y-up DIR/ours-yup.* on the mesh DIR/base.obj with the Mesh Cache
modifier, and exports a moving and twisting mesh of its own to DIR/theirs.mdd and .pc2, DIR/theirs-yup.pc2,
DIR/theirs.####.obj and .glb and, with vertices split at seams and hard edges, DIR/theirs-split.####.glb. The
base of its caches is DIR/theirs-base.obj. Then writes DIR/report.json: the world positions of every vertex in
every frame.
"""

import json
import os
import sys

import addon_utils
import bpy
import numpy

# The glTF add-on of Blender 3.4 uses a name that newer versions of numpy have dropped.
numpy.bool = bool

FRAMES = 5


def positions(obj):
    evaluated = obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return [list(evaluated.matrix_world @ v.co) for v in evaluated.data.vertices]


def play(folder, name):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.obj_import(filepath=os.path.join(folder, "base.obj"), forward_axis="Y", up_axis="Z")
    obj = bpy.context.selected_objects[0]
    cache = obj.modifiers.new("cache", "MESH_CACHE")
    cache.cache_format = name[-3:].upper()
    cache.filepath = os.path.join(folder, name)
    cache.play_mode = "SCENE"
    cache.time_mode = "FRAME"
    cache.frame_start = 1
    cache.frame_scale = 1
    if "yup" in name:
        # The modifier turns the other way than Blender's importers do for the same names: for a file that has
        # Y upwards they are told -Z and Y, and it Z and -Y.
        cache.forward_axis, cache.up_axis = "POS_Z", "NEG_Y"
    else:
        cache.forward_axis, cache.up_axis = "POS_Y", "POS_Z"
    frames = []
    for i in range(FRAMES):
        bpy.context.scene.frame_set(1 + i)
        frames.append(positions(obj))
    # Half-way between the first and the second frame.
    bpy.context.scene.frame_set(1, subframe=0.5)
    frames.append(positions(obj))
    return frames


def build():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.mesh.primitive_uv_sphere_add(segments=8, ring_count=5, radius=0.5, location=(1, 2, 3), rotation=(0.3, 0.2, 0.1))
    obj = bpy.context.object
    bend = obj.modifiers.new("bend", "SIMPLE_DEFORM")
    bend.deform_method = "TWIST"
    bend.deform_axis = "Z"
    for i in range(FRAMES):
        bend.angle = 0.3 * i
        bend.keyframe_insert("angle", frame=1 + i)
        obj.location.x = 1 + 0.25 * i
        obj.keyframe_insert("location", frame=1 + i)
    return obj


def export(folder):
    obj = build()
    for name in ("io_shape_mdd", "io_export_pc2"):
        addon_utils.enable(name)
    frames = []
    for i in range(FRAMES):
        bpy.context.scene.frame_set(1 + i)
        frames.append(positions(obj))
    path = lambda name: os.path.join(folder, name)
    bpy.ops.export_shape.mdd(filepath=path("theirs.mdd"), frame_start=1, frame_end=FRAMES, fps=25)
    for name, up in (("theirs.pc2", False), ("theirs-yup.pc2", True)):
        bpy.ops.export_shape.pc2(filepath=path(name), rot_x90=up, world_space=True, range_start=1, range_end=FRAMES)
    for i in range(FRAMES):
        bpy.context.scene.frame_set(1 + i)
        bpy.ops.wm.obj_export(filepath=path("theirs.%04d.obj" % (1 + i)), forward_axis="Y", up_axis="Z")
        for name, split in (("theirs.%04d.glb", False), ("theirs-split.%04d.glb", True)):
            bpy.ops.export_scene.gltf(
                filepath=path(name % (1 + i)),
                export_format="GLB",
                export_normals=split,
                export_texcoords=split,
                export_animations=False,
                export_apply=True,
                export_current_frame=True,
            )
    bpy.ops.wm.obj_export(filepath=path("theirs-base.obj"), forward_axis="Y", up_axis="Z")
    return frames


def main():
    folder = sys.argv[sys.argv.index("--") + 1]
    names = sorted(n for n in os.listdir(folder) if n.startswith("ours"))
    report = {name: play(folder, name) for name in names}
    report["theirs"] = export(folder)
    with open(os.path.join(folder, "report.json"), "w") as f:
        json.dump(report, f)


main()
