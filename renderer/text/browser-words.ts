// The name of a session: the browser and the system in its User-Agent header, as on account pages.

/** The first match is used: Edge and Opera also identify as Chrome, and Chrome identifies as Safari. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bElectron\//, 'Almanac desktop'],
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** "Chrome on Linux"; a label that is not a browser's User-Agent is returned unchanged. */
export function browserWords(label: string): string {
  if (!label.startsWith('Mozilla/')) return label
  const browser = nameIn(browsers, label)
  const system = nameIn(systems, label)
  if (browser === undefined) return system === undefined ? label : `Browser on ${system}`
  return system === undefined ? browser : `${browser} on ${system}`
}

function nameIn(names: readonly (readonly [RegExp, string])[], label: string): string | undefined {
  return names.find(([pattern]) => pattern.test(label))?.[1]
}
