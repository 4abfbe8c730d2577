// The theme of a page: the one of the device, or the one that was chosen on it. It is loaded before anything is painted.
{
  let kept = {};
  // Where a browser keeps nothing, the choice holds on this page alone.
  try { kept = localStorage; } catch {}
  const name = "nomic_nb theme", dark = matchMedia("(prefers-color-scheme: dark)");
  dark.onchange = window.nomicTheme = (chosen) => {
    if (typeof chosen === "string") kept[name] = chosen;
    document.documentElement.dataset.theme = kept[name] || (dark.matches ? "dark" : "light");
    return kept[name] ?? "";
  };
  nomicTheme();
}
