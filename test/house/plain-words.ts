// Finds the words that a native engineer would not write (CONTRIBUTING.md, "Language") in comments, texts and pages.
// "node test/house/plain-words.ts [path …]" lists them.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { parse } from 'vue/compiler-sfc'

export interface WordRule {
  pattern: RegExp
  /** What to write instead. */
  instead: string
}

export const wordRules: readonly WordRule[] = [
  {
    pattern: /\b(?:is|are|was|were|be) (?:no|none)\b(?! (?:longer|more|one|later|other)\b)/i,
    instead: 'is not a, does not exist',
  },
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: 'fix' },
  { pattern: /\bby (?:itself|themselves)\b/i, instead: 'automatically, on its own' },
  { pattern: /\bwhere(?: it is| they are)? left out\b/i, instead: 'if omitted' },
  { pattern: /\b(?:is|are|was|were|becomes?|became) another\b/i, instead: 'changed, is a different' },
  { pattern: /\bstands?\b(?!-in\b| (?:alone|out|by))/i, instead: 'is, is in, applies' },
  { pattern: /\blies\b/i, instead: 'is in, is stored in' },
  { pattern: /\bwho(?:ever|mever| asks)\b/i, instead: 'the caller, the user, anyone who' },
  { pattern: /\bwhatever\b/i, instead: 'everything that, any' },
  { pattern: /\bwherever\b/i, instead: 'everywhere that, if' },
  { pattern: /\bsome(?:body|one)\b/i, instead: 'a user, another user, a caller' },
  {
    pattern:
      /\b(?:at fault|hold(?:s|ing)? (?:with|good)|goes with|for ever|thereby|thereof|therein|hence|lest|nought|thus)\b/i,
    instead: 'the plain word',
  },
  { pattern: /\b(?:tells?|telling|told|untold)\b/i, instead: 'report, show, return' },
  { pattern: /\b(?:says?|saying)\b/i, instead: 'contain, show, report, mean' },
  {
    pattern: /\bAnswers\b|\banswers (?:whether|how|what|with|null|the|it|them|a|an|in|to|every|all|only)\b/,
    instead: 'Returns, responds',
  },
  { pattern: /\bmay not\b/i, instead: 'cannot, must not' },
  { pattern: /\bnews\b/i, instead: 'events, changes' },
  { pattern: /\b(?:come|comes|coming|take|takes) along\b/i, instead: 'is included automatically' },
  { pattern: /\b(?:in|out of) sight\b/i, instead: 'visible, hidden' },
  { pattern: /\bthe present\b/i, instead: 'the current state, now' },
  { pattern: /\b[Ww]ay out\b/, instead: 'how to fix it' },
  { pattern: /\bmeanwhile\b/i, instead: 'in the meantime' },
  { pattern: /\bmoved since\b/i, instead: 'changed since' },
  { pattern: /\balso (?:if|when|while|from)\b/i, instead: 'even if, including from' },
]

export interface Fault {
  file: string
  line: number
  word: string
  instead: string
  text: string
}

/** A text that people read, and the line on which it starts. */
interface Prose {
  text: string
  line: number
}

export const root = fileURLToPath(new URL('../..', import.meta.url))

export function faultsOf(file: string, source: string): Fault[] {
  if (!mayHaveFaults(source)) return []
  return proseOf(file, source).flatMap(({ text, line }) =>
    text.split('\n').flatMap((part, at) =>
      wordRules.flatMap(({ pattern, instead }) => {
        const word = pattern.exec(part)?.[0]
        return word === undefined ? [] : [{ file, line: line + at, word, instead, text: part.trim() }]
      }),
    ),
  )
}

const anyWord = new RegExp(wordRules.map(({ pattern }) => `(?:${pattern.source})`).join('|'), 'i')

/** Code included, because few files contain a word anywhere and a search is much faster than a parser. */
function mayHaveFaults(source: string): boolean {
  if (anyWord.test(source)) return true
  // As its reader sees it: without escapes in strings, and with the line breaks of a template as spaces.
  const read = source
    .replace(/\\\r?\n/g, '')
    .replace(/\\(?:u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|[^])/gi, ' ')
    .replace(/\s+/g, ' ')
  return anyWord.test(read)
}

/** The files of the repository that exist, tracked or new; only those of the given paths, if any. */
export function repositoryFiles(paths: readonly string[] = []): string[] {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...paths], {
    cwd: root,
    encoding: 'utf8',
  })
  return files.split('\n').filter((file) => file !== '' && existsSync(join(root, file)))
}

/** The list itself, its test and its exceptions contain the words. */
const aboutWords = /^test\/house\/plain-words(?:-exceptions|\.test)?\.ts$/

export function filesBelow(paths: readonly string[]): string[] {
  return repositoryFiles(paths).filter(
    (file) => /\.(?:ts|tsx|mjs|vue|md|css|html|yml|yaml)$/.test(file) && !aboutWords.test(file),
  )
}

function proseOf(file: string, source: string): Prose[] {
  if (file.endsWith('.vue')) return proseOfComponent(source)
  if (/\.(?:tsx?|mjs)$/.test(file)) return proseOfScript(source, 1, file)
  if (file.endsWith('.css'))
    return Array.from(source.matchAll(/\/\*[^]*?\*\//g), ({ 0: text, index }) => ({
      text,
      line: lineAt(source, index),
    }))
  // Code in a page is not prose.
  const text = source.replace(/```[^]*?```|`[^`\n]*`/g, (code) => code.replace(/[^\n]/g, ' '))
  return [{ text, line: 1 }]
}

const lineAt = (source: string, offset: number): number => source.slice(0, offset).split('\n').length

function proseOfScript(source: string, first: number, name = 'prose.ts'): Prose[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true)
  const prose: Prose[] = []
  const add = (text: string, offset: number): void =>
    void prose.push({ text, line: first + file.getLineAndCharacterOfPosition(offset).line })
  const comments = new Set<number>()
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of [
      ...(ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(source, node.getEnd()) ?? []),
    ])
      if (!comments.has(pos)) {
        comments.add(pos)
        add(source.slice(pos, end), pos)
      }
    const isPath =
      node.parent !== undefined &&
      (ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent))
    if (ts.isStringLiteralLike(node) && !isPath) add(node.text, node.getStart(file))
    if (ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node))
      add(node.text, node.getStart(file))
    node.getChildren(file).forEach(visit)
  }
  visit(file)
  return prose
}

type Template = NonNullable<NonNullable<ReturnType<typeof parse>['descriptor']['template']>['ast']>
type TemplateNode = Template['children'][number]

/** Kinds of nodes, as Vue's compiler numbers them. */
const kind = { element: 1, text: 2, comment: 3, interpolation: 5, attribute: 6 } as const

function proseOfComponent(source: string): Prose[] {
  const { descriptor } = parse(source, { sourceMap: false, templateParseOptions: { comments: true } })
  const scripts = [descriptor.script, descriptor.scriptSetup].flatMap((script) =>
    script === null ? [] : proseOfScript(script.content, script.loc.start.line),
  )
  const prose: Prose[] = []
  const visit = (node: TemplateNode): void => {
    const { line } = node.loc.start
    if (node.type === kind.text || node.type === kind.comment) prose.push({ text: node.content, line })
    if (node.type === kind.interpolation)
      prose.push(...proseOfScript(`(${node.loc.source.slice(2, -2)})`, line))
    if (node.type !== kind.element) return
    for (const prop of node.props) {
      const at = prop.loc.start.line
      if (prop.type === kind.attribute) prose.push({ text: prop.value?.content ?? '', line: at })
      else if (prop.exp !== undefined) prose.push(...proseOfScript(`(${prop.exp.loc.source})`, at))
    }
    node.children.forEach(visit)
  }
  descriptor.template?.ast?.children.forEach(visit)
  return [...scripts, ...prose]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = filesBelow(process.argv.slice(2))
  const faults = files.flatMap((file) => faultsOf(file, readFileSync(join(root, file), 'utf8')))
  for (const { file, line, word, instead, text } of faults)
    process.stdout.write(`${file}:${line}: "${word}" (${instead}): ${text}\n`)
  process.stdout.write(`${faults.length} in ${files.length} files\n`)
}
