/** A server of files, on this machine only. */

import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const TYPES: Record<string, string> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".wasm": "application/wasm",
};

/** A server that listens. */
export interface FileServer {
  /** Without a slash at the end. */
  origin: string;
  /** Paths that were asked for. */
  asked: string[];
  close(): void;
}

/** Serves a folder; `pages` are bodies of paths that are no files, or take what a page sends. */
export async function serve(
  folder: string,
  pages: Record<string, string | ((body: string) => string)> = {},
): Promise<FileServer> {
  const asked: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    asked.push(pathname);
    const page = pages[pathname];
    const path = pathname.endsWith("/") ? `${pathname}index.html` : pathname;
    response.setHeader("Content-Type", TYPES[extname(path)] ?? "text/html; charset=utf-8");
    if (typeof page === "function") response.end(page(await bodyOf(request)));
    else response.end(page ?? (await readFile(join(folder, normalize(path)))));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.statusCode = 404;
      response.end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
