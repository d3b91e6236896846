// Reads a Parquet file with hyparquet and prints it as JSON: node .ci/parquet-read.mjs FILE
//
// {metadata: {key: value}, columns: [{name, type}], rows: [{name: value}]}. The reader is installed by name and version into a
// temporary folder, so that the project itself depends on no package of that kind.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const READERS = ["hyparquet@1.31.5", "hyparquet-compressors@1.1.2"];

const [path] = process.argv.slice(2);
if (!path) {
  console.error("usage: node parquet-read.mjs FILE.parquet");
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "parquet-read-"));
try {
  execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, ...READERS], { stdio: ["ignore", 2, 2] });
  const load = (name) => import(pathToFileURL(join(folder, "node_modules", name, "src", "index.js")));
  const { parquetMetadata, parquetReadObjects } = await load("hyparquet");
  const { compressors } = await load("hyparquet-compressors");
  const bytes = readFileSync(path);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  const meta = parquetMetadata(file);
  const rows = await parquetReadObjects({ file, compressors });
  const found = {
    metadata: Object.fromEntries(meta.key_value_metadata.map((m) => [m.key, m.value])),
    columns: meta.schema.slice(1).map((s) => ({ name: s.name, type: s.type })),
    codecs: [...new Set(meta.row_groups.flatMap((g) => g.columns.map((c) => c.meta_data.codec)))],
    rows,
  };
  console.log(JSON.stringify(found, (_, v) => (typeof v === "bigint" ? Number(v) : v)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
