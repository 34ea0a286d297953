// The drawings of an apply and a resolve in docs/architecture.md agree with the code: stages in order, files, and who
// calls whom.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { applyStages, faultPoints } from '../../server/pipeline/index.ts'
import { root } from './plain-words.ts'

interface Drawing {
  /** By the name of the node: its words and its file. */
  nodes: Map<string, { words: string; file: string | null }>
  edges: (readonly [from: string, to: string])[]
}

const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')

/** Reads the first drawing below a heading. */
function drawingOf(heading: string): Drawing {
  const start = page.indexOf('```mermaid', page.indexOf(`## ${heading}\n`))
  const lines = page.slice(start, page.indexOf('\n```', start)).split('\n').slice(2)
  const nodes: Drawing['nodes'] = new Map()
  const edges: Drawing['edges'] = []
  for (const line of lines) {
    for (const [, name, label] of line.matchAll(/(\w+)[[{]"([^"]+)"[\]}]/g)) {
      const [words = '', file] = label!.split('<br/>')
      nodes.set(name!, { words, file: file === undefined ? null : `server/${file}` })
    }
    const plain = line.replace(/[[{]"[^"]+"[\]}]/g, '')
    const edge = /^\s*(\w+) (?:-- "[^"]+" )?--> (\w+)/.exec(plain)
    if (edge !== null) edges.push([edge[1]!, edge[2]!])
  }
  return { nodes, edges }
}

const read = (file: string): string => readFileSync(join(root, file), 'utf8')

const applyWay = drawingOf('How an apply runs')
const resolveWay = drawingOf('How a resolve runs')

describe.each([
  ['an apply', applyWay],
  ['a resolve', resolveWay],
])('the drawing of %s', (_way, { nodes, edges }) => {
  it('names files that exist', () => {
    const files = [...nodes.values()].flatMap(({ file }) => file ?? [])
    expect(files.length).toBeGreaterThan(5)
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })

  it('connects nodes that are drawn', () => {
    expect(edges.flat().filter((name) => !nodes.has(name))).toEqual([])
  })
})

describe('the drawing of an apply', () => {
  it('has all stages, in the order in which they run', () => {
    const next = new Map(edgesBetweenStages(applyWay))
    const drawn = ['load']
    for (let name = next.get('load'); name !== undefined; name = next.get(name)) drawn.push(name)
    expect(drawn).toEqual(applyStages.map(({ name }) => name))
  })

  it('names the file of each stage, which exports it', () => {
    for (const { name } of applyStages) {
      const file = `server/pipeline/stages/${name}.ts`
      expect(applyWay.nodes.get(name)?.file).toBe(file)
      expect(read(file)).toContain(`export const ${name}: Stage<'${name}',`)
    }
  })

  it('has a fault point at each stage', () => {
    const names: readonly string[] = applyStages.map(({ name }) => name)
    expect(faultPoints.filter((point) => names.includes(point))).toEqual(names)
  })
})

describe('the drawing of a resolve', () => {
  const functions = [
    'resolveFor',
    'evaluationContextOf',
    'requireVisibleValues',
    'resolve',
    'rowIn',
    'rowOnDay',
  ]

  it.each(functions)('%s is declared in the file that is drawn', (name) => {
    expect(read(resolveWay.nodes.get(name)!.file!)).toMatch(new RegExp(`function ${name}\\b`))
  })

  it.each([
    ['resolveFor', 'evaluationContextOf'],
    ['resolveFor', 'requireVisibleValues'],
    ['resolveFor', 'resolve'],
    ['resolve', 'rowIn'],
    ['rowIn', 'rowOnDay'],
  ])('%s reaches %s', (caller, called) => {
    const calls = callsIn(read(resolveWay.nodes.get(caller)!.file!))
    const reached = new Set([caller])
    for (const name of reached) for (const each of calls.get(name) ?? []) reached.add(each)
    expect(reached).toContain(called)
  })

  it('draws the functions in this order', () => {
    const next = new Map(resolveWay.edges)
    const drawn = ['resolveFor']
    for (let name = next.get('resolveFor'); functions.includes(name ?? ''); name = next.get(name!))
      drawn.push(name!)
    expect(drawn).toEqual(functions)
  })
})

function edgesBetweenStages({ edges }: Drawing): (readonly [string, string])[] {
  const names: readonly string[] = applyStages.map(({ name }) => name)
  return edges.filter(([from, to]) => names.includes(from) && names.includes(to))
}

/** The functions that each function of a file calls. */
function callsIn(text: string): Map<string, string[]> {
  const parts = text.split(/^(?:export )?(?:async )?function (\w+)/m)
  const calls = new Map<string, string[]>()
  for (let at = 1; at < parts.length; at += 2)
    calls.set(
      parts[at]!,
      Array.from(parts[at + 1]!.matchAll(/\b(\w+)\(/g), ([, name]) => name!),
    )
  return calls
}
