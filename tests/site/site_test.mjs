// Opens every page of the built site in a browser: site_test.mjs SITE_FOLDER [PAGE…]
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { findBrowser, Tab } from "./browser.mjs";
import {
  faintText, invisibleFocus, linksAndAnchors, overflow, rendering, smallFigures, structure, unreachableScrolling,
} from "./in_page.mjs";

const site = resolve(process.argv[2]);
const isPage = (name) => name.endsWith(".html");
const pages = process.argv.length > 3 ? process.argv.slice(3) : readdirSync(site).filter(isPage);
const faults = [];
const anchorsOf = new Map();
const linksOf = new Map();
let page = "";

const report = (fault) => faults.push(`${page}: ${fault}`);
const isLocal = (url) => url.startsWith("file:") || url.startsWith("data:") || url.startsWith("about:");

function listen(tab) {
  tab.on("Network.requestWillBeSent", ({ request }) => isLocal(request.url) || report(`asks for ${request.url}`));
  tab.on("Network.loadingFailed", ({ errorText, canceled }) => canceled || report(`a request failed: ${errorText}`));
  tab.on("Runtime.exceptionThrown", ({ exceptionDetails: e }) => report(`error: ${e.exception?.description ?? e.text}`));
  tab.on("Log.entryAdded", ({ entry }) => entry.level === "error" && report(`error: ${entry.text} ${entry.url ?? ""}`));
  tab.on("Runtime.consoleAPICalled", ({ type, args }) => type === "error" && report(`error: ${args[0]?.value}`));
}

async function ask(tab, question, where = "") {
  for (const fault of await tab.evaluate(`(${question})()`)) {
    report(where + fault);
  }
}

async function checkFocus(tab) {
  for (let i = 0; i < 25; ++i) {
    await tab.pressTab();
    await ask(tab, invisibleFocus);
  }
}

async function checkLook(tab, width, scheme) {
  await tab.show(width, scheme);
  for (const question of [overflow, faintText, smallFigures, unreachableScrolling]) {
    await ask(tab, question, `at ${width} pixels, ${scheme}: `);
  }
}

async function checkPage(tab) {
  const url = pathToFileURL(`${site}/${page}`).href;
  await tab.show(1280, "light");
  await tab.goto(url);
  const { links, anchors } = await tab.evaluate(`(${linksAndAnchors})()`);
  anchorsOf.set(url, new Set(anchors));
  linksOf.set(page, links);
  await ask(tab, structure);
  await ask(tab, rendering);
  if (/^(mistake_|dir_|struct|class|namespace)|_8[ch]pp/.test(page)) {  // there are hundreds of them, in a few forms
    await checkLook(tab, 390, "light");
    return;
  }
  for (const scheme of ["light", "dark"]) {
    await checkLook(tab, 1280, scheme);
    await checkLook(tab, 390, scheme);
  }
  await checkFocus(tab);
}

// The button turns light into dark, and a page keeps the choice when it is opened again.
async function checkSwitch(tab) {
  page = "index.html";
  const isDark = () => tab.evaluate("document.documentElement.classList.contains('dark-mode')");
  await tab.show(1280, "light");
  await tab.goto(pathToFileURL(`${site}/${page}`).href);
  const before = await isDark();
  await tab.evaluate("document.getElementById('theme-switch').click()");
  await tab.goto(pathToFileURL(`${site}/${page}`).href);
  if (before || !(await isDark())) {
    report("the switch between dark and light does not work");
  }
}

async function expect(tab, what, expression) {
  if (!(await tab.evaluate(expression))) {
    report(`${what}: not so`);
  }
}

// The address holds the case from the beginning, and an ordinary anchor leaves it as it is.
async function checkState(tab, anchor, field) {
  const input = `document.getElementById('${field}')`;
  const enter = (value) => tab.evaluate(`${input}.value = '${value}'; for (const type of ['input', 'change'])
    ${input}.dispatchEvent(new Event(type, { bubbles: true }))`);
  const follow = `new Promise((resolve) => { location.hash = '${anchor}'; setTimeout(resolve, 30); })`;
  await tab.goto(pathToFileURL(`${site}/${page}`).href);
  await expect(tab, "the address holds the case", "location.hash.includes('=')");
  await enter(7);
  await expect(tab, "a number that fits is no fault", `${input}.getAttribute('aria-invalid') === null`);
  await tab.evaluate(follow);
  await expect(tab, "an anchor leaves the case as it is", `${input}.value === '7'`);
  await enter("");
  await expect(tab, "an empty field is marked", `${input}.getAttribute('aria-invalid') === 'true'`);
  await expect(tab, "a message says what came",
    "document.querySelector('.wb-summary').textContent.includes('was expected, got nothing')");
}

// The search box finds the words of a learner, not the names of the code alone.
async function checkSearch(tab) {
  page = "index.html";
  await tab.goto(pathToFileURL(`${site}/${page}`).href);
  await tab.evaluate("document.getElementById('site-search').dispatchEvent(new Event('focus'))");
  await tab.evaluate("new Promise((resolve) => setTimeout(resolve, 1000))");
  for (const words of ["causal", "paged", "GQA", "NaN", "PyTorch", "FlashAttention", "attend_head"]) {
    await expect(tab, `the search finds ${words}`, `(() => {
      const box = document.getElementById('site-search');
      box.value = '${words}';
      box.dispatchEvent(new Event('input'));
      return document.querySelectorAll('#site-found a').length > 0;
    })()`);
  }
}

function checkLinks() {
  const isFile = new Set(readdirSync(site));
  for (const [from, links] of linksOf) {
    page = from;
    for (const link of new Set(links.filter((target) => target.startsWith("file:")))) {
      const [target, anchor] = link.split("#");
      const name = fileURLToPath(target).slice(site.length + 1);
      const anchors = anchorsOf.get(target);
      if (!isFile.has(name)) {
        report(`a link to ${name}, which does not exist`);
      } else if (anchor && anchors && !anchors.has(decodeURIComponent(anchor))) {
        report(`a link to ${name}#${anchor}, which does not exist`);
      }
    }
  }
}

const browser = findBrowser();
if (!browser) {
  console.log("skipped: needs Chromium");
  process.exit(0);
}
const tab = await Tab.open(browser);
listen(tab);
for (page of pages) {
  await checkPage(tab);
}
await checkSwitch(tab);
page = "explorer.html";
await checkState(tab, "explorer-reading", "wb-q_len");
page = "calculator.html";
await checkState(tab, "calculator-formulas", "wb-batch");
await checkSearch(tab);
await tab.close();
checkLinks();
console.log(faults.length ? faults.join("\n") : `${pages.length} pages are as they should be`);
process.exit(faults.length ? 1 : 0);
