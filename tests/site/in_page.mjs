// What the test asks of a page. The functions run inside the page, so each stands on its own.

/** Where the page's links lead, and what they may lead to. */
export function linksAndAnchors() {
  const anchors = [...document.querySelectorAll("[id], a[name]")].flatMap((e) => [e.id, e.getAttribute("name")]);
  const links = [...document.querySelectorAll("a[href], area[href]")].filter((link) => !link.href.baseVal);
  return { links: links.map((link) => link.href), anchors: anchors.filter(Boolean) };
}

/** Pictures without a text alternative, headings out of order, fields without a name, formulas that show nothing. */
export function structure() {
  const faults = [];
  const isHidden = (e) => e.closest("[aria-hidden=true]") || e.getClientRects().length === 0;
  const nameOf = (e) => e.getAttribute("aria-label") ?? document.getElementById(e.getAttribute("aria-labelledby"))?.textContent;
  for (const image of document.querySelectorAll("img")) {
    if (!image.hasAttribute("alt") && !isHidden(image)) faults.push(`an image without alt: ${image.src}`);
    if (image.complete && image.naturalWidth === 0) faults.push(`an image that does not load: ${image.src}`);
  }
  for (const svg of document.querySelectorAll("svg")) {
    const text = nameOf(svg) ?? svg.querySelector(":scope > title")?.textContent;
    const inControl = svg.closest("button, a, [role=button]");
    if (!text?.trim() && !isHidden(svg) && !inControl) faults.push(`a drawing without a title: ${svg.outerHTML.slice(0, 80)}`);
  }
  let level = 0;
  for (const heading of document.querySelectorAll("h1, h2, h3, h4, h5, h6, [role=heading]")) {
    if (isHidden(heading)) continue;
    const next = Number(heading.getAttribute("aria-level") ?? heading.tagName[1]);
    if (next > level + 1) faults.push(`a heading of level ${next} after level ${level}: ${heading.textContent.trim()}`);
    level = next;
  }
  for (const control of document.querySelectorAll("input, select, textarea, button, [role=button]")) {
    const text = nameOf(control) ?? (control.labels?.[0]?.textContent || control.title || control.textContent);
    if (!text?.trim() && !isHidden(control) && control.type !== "hidden") faults.push(`a control without a name: ${control.outerHTML.slice(0, 80)}`);
  }
  for (const formula of document.querySelectorAll("math")) {
    if (formula.getBoundingClientRect().width < 2) faults.push(`a formula that shows nothing: ${formula.textContent}`);
  }
  const prose = document.querySelector(".contents")?.cloneNode(true);
  prose?.querySelectorAll("code, .tt, .fragment, pre").forEach((e) => e.remove());
  if (/\*\*|```|\]\(/.test(prose?.textContent)) faults.push(`the source of the page in the text: ${prose.textContent.match(/.{0,30}(\*\*|```|\]\().{0,20}/)[0]}`);
  if (/\\f[$[{]|\\\[|\\frac/.test(document.body.innerText)) faults.push("the source of a formula in the text");
  return faults;
}

/** Pixels by which the page is wider than the window, and what sticks out. */
export function overflow() {
  const width = document.documentElement.clientWidth;
  const excess = document.documentElement.scrollWidth - width;
  if (excess <= 0) return [];
  const scrolls = (e) => e !== document.body && (getComputedStyle(e).overflowX !== "visible" || (e.parentElement && scrolls(e.parentElement)));
  const wide = [...document.body.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > width + 1 && !scrolls(e));
  const culprits = wide.slice(0, 3).map((e) => `${e.tagName.toLowerCase()}.${e.className} ${e.textContent.trim().slice(0, 40)}`);
  return [`${excess} pixels wider than the window: ${culprits.join(" | ")}`];
}

/** Text that stands out too little from what is behind it (WCAG AA: 4.5, large text 3). */
export function faintText() {
  const rgba = (colour) => {
    const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
    return { r, g, b, a };
  };
  const over = (top, below) => ({
    r: top.r * top.a + below.r * (1 - top.a), g: top.g * top.a + below.g * (1 - top.a),
    b: top.b * top.a + below.b * (1 - top.a), a: 1,
  });
  const behind = (element) => {
    if (!element) return rgba(getComputedStyle(document.documentElement).backgroundColor).a ? rgba(getComputedStyle(document.documentElement).backgroundColor) : { r: 255, g: 255, b: 255, a: 1 };
    const own = rgba(getComputedStyle(element).backgroundColor);
    return own.a === 1 ? own : over(own, behind(element.parentElement));
  };
  const luminance = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const faint = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent.trim() || element.closest("svg, script, style, noscript") || !element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
    const style = getComputedStyle(element);
    const below = behind(element);
    const [high, low] = [luminance(over(rgba(style.color), below)), luminance(below)].sort((a, b) => b - a);
    const contrast = (high + 0.05) / (low + 0.05);
    const size = parseFloat(style.fontSize);
    const needed = size >= 24 || (size >= 18.6 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    if (contrast < needed) faint.set(`${element.tagName.toLowerCase()}.${element.className}`, `contrast ${contrast.toFixed(1)}: ${element.tagName.toLowerCase()}.${element.className} "${node.textContent.trim().slice(0, 40)}"`);
  }
  return [...faint.values()];
}

/** The element that has the focus, if nothing shows that it has. */
export function invisibleFocus() {
  const element = document.activeElement;
  if (!element || element === document.body) return [];
  const shows = (e) => e && ((getComputedStyle(e).outlineStyle !== "none" && parseFloat(getComputedStyle(e).outlineWidth) > 0) || getComputedStyle(e).boxShadow !== "none");
  return shows(element) || shows(element.nextElementSibling) || shows(element.closest("#MSearchBox")) ? [] : [`nothing shows the focus on ${element.outerHTML.slice(0, 80)}`];
}
