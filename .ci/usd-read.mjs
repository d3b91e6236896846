// Reads .usda files with TinyUSDZ and prints what it found as JSON, a line a file: node .ci/usd-read.mjs FILE...
//
// The reader parses the file into its own values, and writes them as text again; that text is taken apart here into
// {stage, prims: {path: {attribute: value or {frame: value}}}, meshes: [{path, points, indices}]}, the last of them
// as the reader would draw them. It is installed by name and version into a temporary folder, so that the project itself
// depends on no package of that kind.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const READER = "tinyusdz@0.9.0-rc10";

// value reads what stands after an equals sign or a frame number.
function value(text) {
  text = text.trim().replace(/,$/, "");
  if (/^[[(\d"-]/.test(text)) {
    return JSON.parse(text.replaceAll("(", "[").replaceAll(")", "]").replace(/@/g, ""));
  }
  return text;
}

function takeApart(text) {
  const found = { stage: {}, prims: {} };
  const path = [];
  let prim = found.stage;
  let samples = null;
  for (const line of text.split("\n").map((l) => l.trim())) {
    let m;
    if ((m = /^def \w+ "(\w+)"/.exec(line))) {
      path.push(m[1]);
      prim = found.prims["/" + path.join("/")] = {};
    } else if (line === "}" && samples) {
      samples = null;
    } else if (line === "}") {
      path.pop();
      prim = found.prims["/" + path.join("/")];
    } else if (samples && (m = /^([\d.]+): (.*)$/.exec(line))) {
      samples[m[1]] = value(m[2]);
    } else if ((m = /^(?:custom |uniform )*(?:[\w:[\]]+ )?([\w:]+)\.timeSamples = \{$/.exec(line))) {
      samples = prim[m[1]] = {};
    } else if ((m = /^(?:custom |uniform )*(?:[\w:[\]]+ )?([\w:]+) = (.*?)( \($)?$/.exec(line))) {
      prim[m[1]] = value(m[2]);
    }
  }
  return found;
}

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error("usage: node usd-read.mjs FILE.usda...");
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "usd-read-"));
try {
  execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "--omit=peer", "--prefix", folder, READER], { stdio: ["ignore", 2, 2] });
  const home = join(folder, "node_modules", "tinyusdz");
  // The package is built for browsers and refuses others.
  process.type = "renderer";
  globalThis.window = globalThis;
  const { default: init } = await import(pathToFileURL(join(home, "tinyusdz.js")));
  const wasm = readFileSync(join(home, "tinyusdz.wasm"));
  const usd = await init({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(wasm, imports).then((r) => done(r.instance, r.module));
      return {};
    },
  });
  for (const file of files) {
    const data = readFileSync(file);
    const layer = new usd.TinyUSDZLoaderNative();
    const scene = new usd.TinyUSDZLoaderNative();
    if (!layer.loadAsLayerFromBinary(data, file) || !scene.loadFromBinary(data, file)) {
      throw new Error(`${file}: ${layer.error()} ${scene.error()}`);
    }
    const found = takeApart(layer.layerToString());
    found.meshes = [];
    for (let i = 0; i < scene.numMeshes(); i++) {
      const m = scene.getMesh(i);
      found.meshes.push({ path: m.absPath, points: [...m.points], indices: [...m.faceVertexIndices] });
    }
    console.log(JSON.stringify(found));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
