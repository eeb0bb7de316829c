// The search box: which sections of the site hold all of the words. Their texts, search_index.js, are loaded with the
// first use of the box, as a script, because pages that are opened as files cannot fetch anything.
document.addEventListener("DOMContentLoaded", () => {
  const box = document.getElementById("site-search");
  const [status, list] = document.getElementById("site-found").children;
  const mostShown = 12;
  let sections = [];

  // Entities such as &lt; as characters.
  const plain = (html) => new DOMParser().parseFromString(html, "text/html").documentElement.textContent;

  // [{href, title, page, text}] of a page: one for its beginning and one for each anchor, see docs/finish.cmake.
  function sectionsOf([file, page, text]) {
    const [beginning, ...parts] = text.split("\x01");
    const made = beginning.trim() === "" ? [] : [{ href: file, title: page, page, text: beginning }];
    for (let i = 0; i < parts.length; i += 2) {
      const [heading, ...rest] = parts[i + 1].split("\x02");
      const title = heading.trim();
      const isHeading = rest.length > 0 && title.length > 0 && title.length < 100;
      made.push({ href: `${file}#${parts[i]}`, page, text: parts[i + 1],
        title: isHeading ? title.replace(/[.:]$/, "") : page });
    }
    return made;
  }

  function load() {
    const script = document.createElement("script");
    script.src = box.dataset.index;
    script.addEventListener("load", () => {
      sections = workbookIndex.flatMap(([file, page, text]) => sectionsOf([file, plain(page), plain(text)]));
      show();
    });
    document.head.append(script);
  }

  // The sections with all words that begin as those in the box, titles first.
  function hits() {
    const words = box.value.match(/[\p{L}\p{N}_]+/gu) ?? [];
    const patterns = words.map((word) => new RegExp(`(?<![\\p{L}\\p{N}])${word}`, "iu"));
    const isIn = (text) => patterns.every((pattern) => pattern.test(text));
    return words.length === 0 ? [] : sections.filter(({ title, text }) => isIn(`${title} ${text}`))
      .sort((a, b) => isIn(b.title) - isIn(a.title));
  }

  function show() {
    const all = hits();
    status.textContent = box.value.trim() === "" || sections.length === 0 ? "" :
      all.length === 0 ? "Nothing here has all of these words." :
      all.length > mostShown ? `${all.length} places, the first ${mostShown}:` : "";
    list.replaceChildren(...all.slice(0, mostShown).map(({ href, title, page }) => {
      const link = Object.assign(document.createElement("a"), { href, textContent: title });
      const place = Object.assign(document.createElement("small"), { textContent: page === title ? "" : page });
      link.append(place);
      const entry = document.createElement("li");
      entry.append(link);
      return entry;
    }));
  }

  box.addEventListener("focus", load, { once: true });
  box.addEventListener("input", show);
  box.addEventListener("keydown", ({ key }) => {
    if (key === "Enter") list.querySelector("a")?.click();
  });
});
