// The path of a callout: names in braces are filled, each as text within its segment. No path leaves the URL of the
// named credential.

export type FilledPath =
  /** Begins with a slash, unless it is empty. */
  | { kind: 'path'; path: string }
  /** `name` is the parameter that is not valid; null if it is the template. Contains no value. */
  | { kind: 'problem'; name: string | null; reason: string }

const placeholder = /\{([^{}]*)\}/g
/** Decoded once more than a careful server does, so that a careless one is safe too. */
const decodings = 3

interface PathRules {
  /** Whether values and the template can contain encoded slashes. None of their parts can be "." or "..". */
  hasSlashes: boolean
}

export function fillPath(
  template: string,
  params: Readonly<Record<string, string>>,
  { hasSlashes }: PathRules = { hasSlashes: false },
): FilledPath {
  const problem = (name: string | null, reason: string): FilledPath => ({ kind: 'problem', name, reason })
  const { names, texts, ...rules } = templateOf(template)
  for (const name in params) if (!names.includes(name)) return problem(name, 'is not in the path')
  for (const name of names) {
    const value = Object.hasOwn(params, name) ? params[name]! : undefined
    if (value === undefined) return problem(name, 'has no value')
    const reason = explainValue(value, hasSlashes)
    if (reason !== null) return problem(name, reason)
  }
  const reason = hasSlashes ? rules.withSlashes : rules.without
  if (reason !== null) return problem(null, reason)
  let path = texts[0]!
  for (let at = 0; at < names.length; at += 1)
    path += encodeURIComponent(params[names[at]!]!) + texts[at + 1]!
  if (path === '' || path === '/') return { kind: 'path', path }
  if (leavesItsPlace(path))
    return problem(names[0] ?? null, 'makes a segment "." or "..", which would lead elsewhere')
  return { kind: 'path', path: path.startsWith('/') ? path : `/${path}` }
}

interface Template {
  names: readonly string[]
  /** What is before, between and after the names. */
  texts: readonly string[]
  /** Why it is not valid, with and without encoded slashes; null if it is. */
  withSlashes: string | null
  without: string | null
}

/** Templates come from automations and descriptions, and are few. */
const templates = new Map<string, Template>()
const maxTemplates = 1000

function templateOf(template: string): Template {
  const known = templates.get(template)
  if (known !== undefined) return known
  const names = [...template.matchAll(placeholder)].map(([, name]) => name!)
  const parsed: Template = {
    names,
    texts: template.split(/\{[^{}]*\}/),
    withSlashes: explainTemplate(template, true),
    without: explainTemplate(template, false),
  }
  // A path without names can be of one call, with values in it.
  if (names.length === 0) return parsed
  if (templates.size >= maxTemplates) templates.clear()
  templates.set(template, parsed)
  return parsed
}

function explainValue(value: string, hasSlashes: boolean): string | null {
  if (value === '') return 'is empty, so the path would lead elsewhere'
  if (!value.isWellFormed()) return 'is not valid Unicode'
  if (!hasSlashes && /[/\\]/.test(decode(value)))
    return 'contains a slash or a backslash, which would lead elsewhere'
  return null
}

function explainTemplate(template: string, hasSlashes: boolean): string | null {
  const text = template.replace(placeholder, 'x')
  if (/[{}]/.test(text)) return 'has a brace without its counterpart'
  // Absolute URLs, and what a parser of URLs would remove or take for the end of the path.
  if (!/^[A-Za-z0-9\-._~!$&'()*+,;=:@/%]*$/.test(text))
    return 'contains a character that a path cannot contain; write it with % and two hexadecimal digits'
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return 'contains a % without two hexadecimal digits'
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(text))
    return 'is a URL; write only what follows the URL of the credential'
  if (text.includes('//')) return 'contains two slashes in a row'
  if (!hasSlashes && /[/\\]/.test(decode(text.replaceAll('/', ''))))
    return 'contains an encoded slash or a backslash'
  return null
}

function leavesItsPlace(path: string): boolean {
  if (!/[.%]/.test(path)) return false
  return decode(path)
    .split(/[/\\]/)
    .some((segment) => /^\.\.?$/.test(segment))
}

function decode(text: string): string {
  if (!text.includes('%')) return text
  let result = text
  for (let round = 0; round < decodings; round += 1)
    result = result.replace(/%([0-7][0-9A-Fa-f])/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
  return result
}
