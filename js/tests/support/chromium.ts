/** Chromium, as Debian packages it. */

import { chromium, type Browser, type Page } from "playwright-core";

/** Starts Chromium; `UNSTICK_CHROMIUM` says where it is. */
export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.UNSTICK_CHROMIUM ?? "/usr/bin/chromium",
    // It will not start as root with its sandbox, and must not ask the network for anything of its own.
    args: ["--headless", "--no-sandbox", "--disable-background-networking", "--disable-dev-shm-usage"],
  });
}

/** Opens a page; `faults` fills with its console's errors and what it fails to load. */
export async function open(browser: Browser, address: string): Promise<{ page: Page; faults: string[] }> {
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("requestfailed", (request) => faults.push(`${request.url()}: ${request.failure()?.errorText}`));
  await page.goto(address);
  return { page, faults };
}
