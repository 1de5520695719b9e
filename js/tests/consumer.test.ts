/** The package as it is packed, installed into an empty project and used from there. */

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";

import { launch, open } from "./support/chromium.js";
import { js, temporary } from "./support/folders.js";
import { serve } from "./support/server.js";

const project = temporary();
after(() => rmSync(project, { recursive: true }));

const source = "# é😀\napiVersion: v1\nkind: Service\nspec: {sessionAffinity: ClientIP}\n";
const clean = "# é😀\napiVersion: v1\nkind: Service\nspec: {}\n";

before(() => {
  const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", project], { cwd: js, encoding: "utf8" });
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  write({ "package.json": '{"private":true,"type":"module"}' });
  npm("install", "--offline", "--no-audit", "--no-fund", join(project, filename));
});

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
}

function npm(...words: string[]): void {
  execFileSync("npm", words, { cwd: project, stdio: ["ignore", "ignore", "inherit"] });
}

function node(...words: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: project, encoding: "utf8" });
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}

/** Runs a program of this package's own dependencies in the project. */
function tool(path: string, ...words: string[]): string {
  return node(join(js, "node_modules", path), ...words);
}

/** The page's script: it shows what came out. */
function script(entry: string): string {
  return `
    import { fix, init } from ${JSON.stringify(entry)};
    await init();
    document.title = fix(${JSON.stringify(source)}).text;
  `;
}

test("the package holds what it needs and nothing else", () => {
  const folder = join(project, "node_modules/unstick");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const allowed = /^(dist|wasm)(\/[a-z_]+(\.d)?\.(js|ts|wasm))?$|^(README\.md|package\.json|LICENSE-(MIT|APACHE))$/;
  assert.deepEqual(files.filter((file) => !allowed.test(file)), []);
  for (const file of ["README.md", "LICENSE-MIT", "dist/browser.d.ts", "wasm/unstick_bg.wasm"]) assert.ok(files.includes(file), file);
});

test("plain Node uses it, with and without init", () => {
  write({
    "use.js": `
      import { fix } from "unstick";
      process.stdout.write(fix(${JSON.stringify(source)}).text);
    `,
    "inline.js": `
      import { fix, init } from "unstick/inline";
      await init();
      process.stdout.write(fix(${JSON.stringify(source)}).text);
    `,
  });
  assert.equal(node("use.js"), clean);
  assert.equal(node("inline.js"), clean);
});

test("its types hold for both ways to resolve modules", () => {
  write({
    "types.ts": `
      import { check, fix, fixFiles, init, PolicyError, type Finding, type FixResult } from "unstick";
      import { fix as fixInline } from "unstick/inline";
      export async function use(): Promise<Finding[]> {
        await init();
        const result: FixResult = fix("a: 1", { action: "clientIP", timeoutSeconds: 600, rules: [{ action: "keep" }] });
        const bytes: Uint8Array = fixFiles([{ path: "a.yaml", bytes: new Uint8Array() }]).files[0]?.bytes ?? result.bytes;
        if (new Error() instanceof PolicyError) return fixInline(bytes).findings;
        // @ts-expect-error: there is no such setting
        return check("a: 1", { acton: "none" }).findings;
      }
    `,
  });
  const strict = ["--noEmit", "--strict", "--target", "ES2022", "--lib", "ES2022,DOM", "types.ts"];
  for (const [module, resolution] of [["NodeNext", "NodeNext"], ["ESNext", "Bundler"]] as const) {
    tool("typescript/bin/tsc", "--module", module, "--moduleResolution", resolution, ...strict);
  }
});

for (const entry of ["unstick", "unstick/inline"]) {
  test(`a Vite build of ${entry} works in Chromium`, async (context) => {
    write({
      "index.html": '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>',
      "main.js": script(entry),
      "vite.config.js": 'export default { build: { target: "es2022" }, logLevel: "warn" };',
    });
    tool("vite/bin/vite.js", "build");
    const server = await serve(join(project, "dist"));
    context.after(() => server.close());
    const browser = await launch();
    context.after(() => browser.close());
    const { page, faults } = await open(browser, `${server.origin}/`);
    await page.waitForFunction(() => document.title !== "");
    assert.equal(await page.evaluate(() => document.querySelector("title")?.textContent), clean);
    assert.deepEqual(faults, []);
    const modules = readdirSync(join(project, "dist/assets")).filter((file) => file.endsWith(".wasm"));
    assert.equal(modules.length, entry === "unstick" ? 1 : 0);
  });
}

test("Chromium uses the installed package with an import map and no bundler", async (context) => {
  const map = { imports: { unstick: "/node_modules/unstick/dist/browser.js" } };
  write({
    "plain/index.html": `<!doctype html><link rel="icon" href="data:,">
      <script type="importmap">${JSON.stringify(map)}</script>
      <script type="module">${script("unstick")}</script>`,
  });
  const server = await serve(project);
  context.after(() => server.close());
  const browser = await launch();
  context.after(() => browser.close());
  const { page, faults } = await open(browser, `${server.origin}/plain/`);
  await page.waitForFunction(() => document.title !== "");
  assert.equal(await page.evaluate(() => document.querySelector("title")?.textContent), clean);
  assert.deepEqual(faults, []);
});
