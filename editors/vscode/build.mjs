/** `npm run build:vscode`: bundles the extension, and writes the file that `code --install-extension` installs. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { crc32, deflateRawSync } from "node:zlib";
import { build } from "esbuild";

const folder = dirname(fileURLToPath(import.meta.url));
const root = join(folder, "..", "..");
const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

const escapeXml = (text) =>
  text.replace(/[&<>"]/g, (mark) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[mark]);

/** The manifest of the package, by the schema of 2011 that the editor reads. */
function vsixManifest() {
  const { name, displayName, description, version, publisher, categories, engines } = manifest;
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}" />
    <DisplayName>${escapeXml(displayName)}</DisplayName>
    <Description xml:space="preserve">${escapeXml(description)}</Description>
    <Categories>${categories.map(escapeXml).join(",")}</Categories>
    <License>extension/LICENSE</License>
    <Properties><Property Id="Microsoft.VisualStudio.Code.Engine" Value="${engines.vscode}" /></Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code" /></Installation>
  <Dependencies />
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true" />
  </Assets>
</PackageManifest>
`;
}

const contentTypes = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension="json" ContentType="application/json" />
  <Default Extension="cjs" ContentType="application/javascript" />
  <Default Extension="md" ContentType="text/markdown" />
  <Default Extension="vsixmanifest" ContentType="text/xml" />
  <Override PartName="/extension/LICENSE" ContentType="text/plain" />
</Types>
`;

/** A ZIP file (APPNOTE 6.3, sections 4.3.7 to 4.3.16). Its times are constant, so that equal files make equal bytes. */
function zip(files) {
  const time = Buffer.from([0, 0, 0x21, 0x2a]);
  const pieces = [];
  const directory = [];
  let offset = 0;
  for (const [name, content] of files) {
    const path = Buffer.from(name);
    const packed = deflateRawSync(content, { level: 9 });
    const sizes = Buffer.alloc(16);
    sizes.writeUInt32LE(crc32(content), 0);
    sizes.writeUInt32LE(packed.length, 4);
    sizes.writeUInt32LE(content.length, 8);
    sizes.writeUInt16LE(path.length, 12);
    // Version 2.0, names in UTF-8, deflate.
    const method = Buffer.from([20, 0, 0, 8, 8, 0]);
    const header = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), method, time, sizes, path]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const entry = [Buffer.from("PK\x01\x02\x14\x00", "latin1"), method, time, sizes, place, path];
    directory.push(Buffer.concat(entry));
    pieces.push(header, packed);
    offset += header.length + packed.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...pieces, entries, end]);
}

rmSync(join(folder, "dist"), { recursive: true, force: true });
await build({
  entryPoints: [join(folder, "extension.js")],
  outfile: join(folder, "dist", "extension.cjs"),
  bundle: true,
  format: "cjs",
  platform: "node",
  target: "node20",
  external: ["vscode"],
  mainFields: ["module", "main"],
  minify: true,
});
mkdirSync(join(folder, "schemas"), { recursive: true });
for (const { url } of manifest.contributes.jsonValidation)
  copyFileSync(join(root, "schemas", url.split("/").at(-1)), join(folder, url));

const paths = [
  "package.json",
  "README.md",
  "language-configuration.json",
  ...["dist", "schemas", "snippets", "syntaxes"].flatMap((name) =>
    readdirSync(join(folder, name)).map((file) => `${name}/${file}`),
  ),
];
const out = process.argv[2] ?? join(folder, `edgeproof-${manifest.version}.vsix`);
// Packages are bundled: the installed extension has none of its own.
const { dependencies, private: _, ...published } = manifest;
writeFileSync(
  out,
  zip([
    ["extension.vsixmanifest", Buffer.from(vsixManifest())],
    ["[Content_Types].xml", Buffer.from(contentTypes)],
    ["extension/LICENSE", readFileSync(join(root, "LICENSE"))],
    ["extension/package.json", Buffer.from(`${JSON.stringify(published, null, 2)}\n`)],
    ...paths.slice(1).map((path) => [`extension/${path}`, readFileSync(join(folder, path))]),
  ]),
);
console.log(`wrote ${out}; install it with: code --install-extension ${out}`);
