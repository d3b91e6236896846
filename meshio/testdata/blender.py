"""Opens and writes mesh files in Blender, for blender_test.go.

Usage: blender -b --factory-startup --python blender.py -- DIR

Imports every DIR/ours.* and exports a scene of its own to DIR/theirs.*, then writes
DIR/report.json: vertex count, triangle count and world bounding box of each.
"""

import json
import os
import sys

import bpy
import numpy

# The glTF add-on of Blender 3.4 uses a name that newer versions of numpy have dropped.
numpy.bool = bool


def clear():
    bpy.ops.wm.read_factory_settings(use_empty=True)


def measure():
    low, high = [1e300] * 3, [-1e300] * 3
    vertices = triangles = 0
    uvs = set()
    for obj in bpy.context.scene.objects:
        if obj.type != "MESH":
            continue
        mesh = obj.data
        vertices += len(mesh.vertices)
        triangles += sum(len(p.vertices) - 2 for p in mesh.polygons)
        for v in mesh.vertices:
            p = obj.matrix_world @ v.co
            for k in range(3):
                low[k] = min(low[k], p[k])
                high[k] = max(high[k], p[k])
        for layer in mesh.uv_layers:
            for corner in layer.data:
                uvs.add((round(corner.uv[0], 5), round(corner.uv[1], 5)))
    return {"vertices": vertices, "triangles": triangles, "low": low, "high": high, "uvs": sorted(uvs)}


def build():
    bpy.ops.mesh.primitive_cube_add(size=1, location=(1, 2, 3), rotation=(0.3, 0.2, 0.1), scale=(1, 2, 0.5))
    bpy.context.object.name = "box"
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.25, location=(-2, 0.5, 0), scale=(1, 1, -3))
    bpy.context.object.name = "ball"
    bpy.context.view_layer.update()
    bpy.ops.object.select_all(action="SELECT")


IMPORT = {
    ".obj": lambda path: bpy.ops.wm.obj_import(filepath=path, forward_axis="Y", up_axis="Z"),
    ".ply": lambda path: bpy.ops.import_mesh.ply(filepath=path),
    ".glb": lambda path: bpy.ops.import_scene.gltf(filepath=path),
}

EXPORT = {
    "theirs.obj": lambda path: bpy.ops.wm.obj_export(filepath=path, forward_axis="Y", up_axis="Z"),
    "theirs-yup.obj": lambda path: bpy.ops.wm.obj_export(filepath=path, forward_axis="NEGATIVE_Z", up_axis="Y"),
    "theirs.ply": lambda path: bpy.ops.export_mesh.ply(filepath=path, axis_forward="Y", axis_up="Z", use_ascii=False),
    "theirs-ascii.ply": lambda path: bpy.ops.export_mesh.ply(filepath=path, axis_forward="Y", axis_up="Z", use_ascii=True),
    "theirs.glb": lambda path: bpy.ops.export_scene.gltf(filepath=path, export_format="GLB"),
}


def main():
    folder = sys.argv[sys.argv.index("--") + 1]
    report = {}
    for name in sorted(os.listdir(folder)):
        if name.startswith("ours"):
            clear()
            IMPORT[os.path.splitext(name)[1]](os.path.join(folder, name))
            report[name] = measure()
    clear()
    build()
    report["theirs"] = measure()
    for name, export in EXPORT.items():
        export(os.path.join(folder, name))
    with open(os.path.join(folder, "report.json"), "w") as f:
        json.dump(report, f)


main()
