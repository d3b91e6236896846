"""Opens exports of a run in Blender, for blender_test.go.

Usage: blender -b --factory-startup --python blender.py -- DIR

DIR/ask.json is a list of what to do; each entry has a name and

  mesh, cache, up     play a point cache on a mesh file with the Mesh Cache modifier
  glb                 import an animated file
  python              run these lines

and frames, those of the scene to look at, which may lie between two. Writes DIR/report.json: by name, by object, the world positions
of every vertex at each of the frames.
"""

import json
import math
import os
import sys

import bpy
import numpy

# The glTF add-on of Blender 3.4 uses a name that newer versions of numpy have dropped.
numpy.bool = bool


def look(objects, frames):
    """Returns the world positions of the objects at the frames of the scene."""
    found = {o.name: [] for o in objects}
    for frame in frames:
        bpy.context.scene.frame_set(math.floor(frame), subframe=frame - math.floor(frame))
        graph = bpy.context.evaluated_depsgraph_get()
        for o in objects:
            shown = o.evaluated_get(graph)
            found[o.name].append([list(shown.matrix_world @ v.co) for v in shown.data.vertices])
    return found


def meshes():
    return [o for o in bpy.context.scene.objects if o.type == "MESH"]


def play(folder, ask):
    axes = {"z": ("Y", "Z"), "y": ("NEGATIVE_Z", "Y")}[ask["up"]]
    bpy.ops.wm.obj_import(filepath=os.path.join(folder, ask["mesh"]), forward_axis=axes[0], up_axis=axes[1])
    obj = bpy.context.selected_objects[0]
    obj.scale = [ask["unit"]] * 3
    obj.name = "mesh"
    cache = obj.modifiers.new("cache", "MESH_CACHE")
    cache.cache_format = ask["cache"][-3:].upper()
    cache.filepath = os.path.join(folder, ask["cache"])
    cache.frame_start = ask["start"]


def main():
    folder = sys.argv[sys.argv.index("--") + 1]
    with open(os.path.join(folder, "ask.json")) as f:
        asked = json.load(f)
    report = {}
    for ask in asked:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        bpy.context.scene.render.fps = ask["fps"]
        if "python" in ask:
            exec(ask["python"], {})
        elif "glb" in ask:
            bpy.ops.import_scene.gltf(filepath=os.path.join(folder, ask["glb"]))
        else:
            play(folder, ask)
        report[ask["name"]] = look(meshes(), ask["frames"])
    with open(os.path.join(folder, "report.json"), "w") as f:
        json.dump(report, f)


main()
