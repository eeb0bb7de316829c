// Chromium without a window, spoken to over a pipe in its DevTools protocol: no package is needed for it.
import { spawn } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome"];

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of an installed Chromium, or undefined. */
export function findBrowser() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

/** One tab of a browser of its own. */
export class Tab {
  #process;
  #profile;
  #session;
  #lastId = 0;
  #replies = new Map();
  #listeners = new Map();
  #unread = Buffer.alloc(0);

  static async open(path) {
    const tab = new Tab();
    tab.#profile = mkdtempSync(join(tmpdir(), "site-test-"));
    const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
      "--hide-scrollbars", "--disable-background-networking", "--remote-debugging-pipe",
      `--user-data-dir=${tab.#profile}`];
    tab.#process = spawn(path, flags, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    tab.#process.stdio[4].on("data", (data) => tab.#receive(data));
    const { targetId } = await tab.send("Target.createTarget", { url: "about:blank" });
    tab.#session = (await tab.send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
    for (const domain of ["Page", "Runtime", "Log", "Network"]) {
      await tab.send(`${domain}.enable`);
    }
    return tab;
  }

  /** Sends a command of the protocol; resolves to its result. */
  send(method, params = {}) {
    const id = ++this.#lastId;
    const message = { id, method, params, sessionId: this.#session };
    this.#process.stdio[3].write(`${JSON.stringify(message)}\0`);
    return new Promise((resolve, reject) => this.#replies.set(id, { resolve, reject, method }));
  }

  /** Calls `listener` with the parameters of each such event. */
  on(event, listener) {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
  }

  /** Opens a page and waits until it has loaded and run its scripts. */
  async goto(url) {
    const loaded = new Promise((resolve) => this.#listeners.set("Page.loadEventFired", [resolve]));
    await this.send("Page.navigate", { url });
    await loaded;
    await this.evaluate("new Promise((resolve) => setTimeout(resolve, 30))");
  }

  /** The value of an expression in the page, a promise's value included. */
  async evaluate(expression) {
    const options = { expression, awaitPromise: true, returnByValue: true };
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", options);
    if (exceptionDetails) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value;
  }

  /** Shows the page at a width, as a reader who prefers dark or light sees it. */
  async show(width, scheme) {
    await this.send("Emulation.setDeviceMetricsOverride",
      { width, height: 900, deviceScaleFactor: 1, mobile: width < 600 });
    await this.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
    await this.evaluate("new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))");
  }

  /** A picture of the whole page, PNG. */
  async screenshot() {
    const { data } = await this.send("Page.captureScreenshot", { captureBeyondViewport: true });
    return Buffer.from(data, "base64");
  }

  async pressTab() {
    for (const type of ["rawKeyDown", "keyUp"]) {
      await this.send("Input.dispatchKeyEvent", { type, key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 });
    }
  }

  async close() {
    const ended = new Promise((resolve) => this.#process.on("exit", resolve));
    this.#process.kill();
    await ended;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 20 });
  }

  #receive(data) {
    this.#unread = Buffer.concat([this.#unread, data]);
    for (let end = this.#unread.indexOf(0); end >= 0; end = this.#unread.indexOf(0)) {
      this.#handle(JSON.parse(this.#unread.subarray(0, end).toString()));
      this.#unread = this.#unread.subarray(end + 1);
    }
  }

  #handle(message) {
    const reply = this.#replies.get(message.id);
    if (!reply) {
      (this.#listeners.get(message.method) ?? []).forEach((listener) => listener(message.params));
      return;
    }
    this.#replies.delete(message.id);
    if (message.error) {
      reply.reject(new Error(`${reply.method}: ${message.error.message}`));
    } else {
      reply.resolve(message.result);
    }
  }
}
