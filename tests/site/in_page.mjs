// What the test asks of a page. The functions run inside the page, so each stands on its own.

/** Where the page's links lead, and what they may lead to. */
export function linksAndAnchors() {
  const anchors = [...document.querySelectorAll("[id], a[name]")].flatMap((e) => [e.id, e.getAttribute("name")]);
  const links = [...document.querySelectorAll("a[href], area[href]")].filter((link) => !link.href.baseVal);
  return { links: links.map((link) => link.href), anchors: anchors.filter(Boolean) };
}

/** Pictures without a text alternative, headings out of order, controls without a name. */
export function structure() {
  const faults = [];
  const isShown = (e) => e.getClientRects().length > 0 && !e.closest("[aria-hidden=true]");
  const all = (selector) => [...document.querySelectorAll(selector)].filter(isShown);
  const start = (e) => e.outerHTML.slice(0, 80);
  const labelOf = (e) =>
    e.getAttribute("aria-label") ?? document.getElementById(e.getAttribute("aria-labelledby"))?.textContent;
  for (const image of all("img")) {
    if (!image.hasAttribute("alt")) faults.push(`an image without alt: ${image.src}`);
    if (image.complete && image.naturalWidth === 0) faults.push(`an image that does not load: ${image.src}`);
  }
  for (const svg of all("svg").filter((e) => !e.closest("button, a, [role=button]"))) {
    const text = labelOf(svg) ?? svg.querySelector(":scope > title")?.textContent;
    if (!text?.trim()) faults.push(`a drawing without a title: ${start(svg)}`);
  }
  const titles = all("h1, [role=heading][aria-level='1']");
  if (titles.length !== 1) faults.push(`${titles.length} headings of level 1, one was expected`);
  if (all("main").length !== 1 || !titles[0]?.closest("main")) faults.push("the title is not in the main part");
  let level = 0;
  for (const heading of all("h1, h2, h3, h4, h5, h6, [role=heading]")) {
    const next = Number(heading.getAttribute("aria-level") ?? heading.tagName[1]);
    if (next > level + 1) faults.push(`a heading of level ${next} after level ${level}: ${heading.textContent.trim()}`);
    level = next;
  }
  for (const control of all("input, select, textarea, button, [role=button]")) {
    const text = labelOf(control) ?? (control.labels?.[0]?.textContent || control.title || control.textContent);
    if (!text?.trim()) faults.push(`a control without a name: ${start(control)}`);
  }
  return faults;
}

/** Formulas that show nothing, and markup that a reader sees. */
export function rendering() {
  const faults = [];
  for (const formula of document.querySelectorAll("math")) {
    if (formula.getBoundingClientRect().width < 2) faults.push(`a formula that shows nothing: ${formula.textContent}`);
  }
  const prose = document.querySelector("div.contents").cloneNode(true);
  prose.querySelectorAll("code, .tt, .fragment, pre, script").forEach((e) => e.remove());
  const markup = prose.textContent.match(/.{0,30}(\*\*|```|\]\(|\\f[$[{]|\\frac|\\ref).{0,20}/);
  return markup ? [...faults, `markup in the text: ${markup[0]}`] : faults;
}

/** Pixels by which the page is wider than the window, and what sticks out. */
export function overflow() {
  const width = document.documentElement.clientWidth;
  const excess = document.documentElement.scrollWidth - width;
  if (excess <= 0) return [];
  const scrolls = (e) =>
    e && e !== document.body && (getComputedStyle(e).overflowX !== "visible" || scrolls(e.parentElement));
  const wide = [...document.body.querySelectorAll("*")].filter(
    (e) => e.getBoundingClientRect().right > width + 1 && !scrolls(e));
  const culprits = wide.slice(0, 3).map((e) => `${e.tagName}.${e.className} ${e.textContent.trim().slice(0, 40)}`);
  return [`${excess} pixels wider than the window: ${culprits.join(" | ")}`];
}

/** What scrolls sideways but cannot be reached with the keyboard. */
export function unreachableScrolling() {
  const scrolls = (e) => e.scrollWidth > e.clientWidth && ["auto", "scroll"].includes(getComputedStyle(e).overflowX);
  const boxes = [...document.querySelectorAll("main *")].filter((e) => scrolls(e) && !e.closest("[tabindex='0']"));
  return boxes.map((e) => `scrolls sideways, but not from the keyboard: ${e.tagName}.${e.className}`);
}

/** Words of figures that are drawn smaller than one can read. */
export function smallFigures() {
  const smallest = 10;
  const sizeOf = (text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a;
  const small = [...document.querySelectorAll("svg.wf text")].filter((text) => sizeOf(text) < smallest - 0.01);
  return small.slice(0, 1).map((text) =>
    `"${text.textContent}" in a figure: at least ${smallest} pixels were expected, got ${sizeOf(text).toFixed(1)}`);
}

/** Text that stands out too little from what is behind it (WCAG AA: 4.5, large text 3). */
export function faintText() {
  const rgba = (colour) => {
    const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
    return { r, g, b, a };
  };
  const over = (top, below) => {
    const mix = (channel) => top[channel] * top.a + below[channel] * (1 - top.a);
    return { r: mix("r"), g: mix("g"), b: mix("b"), a: 1 };
  };
  const behind = (element) => {
    if (!element) return { r: 255, g: 255, b: 255, a: 1 };
    const own = rgba(getComputedStyle(element).backgroundColor);
    return own.a === 1 ? own : over(own, behind(element.parentElement));
  };
  const linear = (c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = ({ r, g, b }) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const contrastOf = (element) => {
    const below = behind(element);
    const text = over(rgba(getComputedStyle(element).color), below);
    const [low, high] = [luminance(text), luminance(below)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const neededBy = ({ fontSize, fontWeight }) =>
    parseFloat(fontSize) >= 24 || (parseFloat(fontSize) >= 18.6 && Number(fontWeight) >= 700) ? 3 : 4.5;
  const isSeen = (element) =>
    !element.closest("svg, script, style, noscript") &&
    element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });

  const faint = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent.trim() || !isSeen(element)) continue;
    const contrast = contrastOf(element);
    const name = `${element.tagName}.${element.className}`;
    if (contrast < neededBy(getComputedStyle(element))) {
      faint.set(name, `contrast ${contrast.toFixed(1)}: ${name} "${node.textContent.trim().slice(0, 40)}"`);
    }
  }
  return [...faint.values()];
}

/** The element that has the focus, if nothing shows that it has. */
export function invisibleFocus() {
  const element = document.activeElement;
  // When the focus goes on to the browser's own controls, the page still has an active element, without the focus.
  if (!element || element === document.body || !element.matches(":focus")) return [];
  const shows = (e) => {
    if (!e) return false;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(e);
    return (outlineStyle !== "none" && parseFloat(outlineWidth) > 0) || boxShadow !== "none";
  };
  const marked = [element, element.nextElementSibling];
  return marked.some(shows) ? [] : [`nothing shows the focus on ${element.outerHTML.slice(0, 80)}`];
}
