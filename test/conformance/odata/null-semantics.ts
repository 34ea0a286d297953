// What a filter selects in sources that treat null differently: as OData 4.0 defines it, and as a database does that turns each
// comparison with null into null. Both keep only the rows for which the whole filter is true.
import type { Token } from 'odata-v4-parser/lib/lexer'
import type { PeerRow } from './peer.ts'

export type NullSemantics = 'standard' | 'sql'
type Value = string | number | boolean | null

export const selects = (filter: Token, row: PeerRow, nulls: NullSemantics): boolean =>
  valueOf(filter, row, nulls) === true

type Pair = { left: Token; right: Token }

function valueOf(node: Token, row: PeerRow, nulls: NullSemantics): Value {
  const get = (each: Token): Value => valueOf(each, row, nulls)
  const type = node.type as string
  const pair = node.value as Pair
  switch (type) {
    case 'AndExpression':
    case 'OrExpression': {
      const deciding = type === 'OrExpression'
      const [a, b] = [get(pair.left), get(pair.right)]
      return a === deciding || b === deciding ? deciding : a === null || b === null ? null : !deciding
    }
    case 'NotExpression': {
      const of = get(node.value as Token)
      return of === null ? null : !of
    }
    case 'Literal':
      return literal(node)
    case 'Enum':
      return /'(.*)'$/.exec(node.raw)![1]!
    case 'ODataIdentifier':
      return row[(node.value as { name: string }).name] ?? null
    case 'MethodCallExpression': {
      const { method, parameters } = node.value as { method: string; parameters: Token[] }
      const args = parameters.map(get)
      return args.includes(null) ? null : methods[method]!(...(args as never[]))
    }
  }
  const operate = operators[type]
  if (operate === undefined) return get(node.value as Token)
  const [a, b] = [get(pair.left), get(pair.right)]
  if (a !== null && b !== null) return operate(a as never, b as never)
  if (type.startsWith('Add') || type.startsWith('Sub') || type.startsWith('Mul')) return null
  const isTest = nulls === 'standard' || [pair.left, pair.right].some(({ raw }) => raw === 'null')
  if (!isTest) return null
  return type === 'EqualsExpression' ? a === b : type === 'NotEqualsExpression' ? a !== b : false
}

function literal({ raw, value }: Token): Value {
  if (raw === 'null') return null
  if (raw.startsWith("'")) return raw.slice(1, -1).replaceAll("''", "'")
  if (raw === 'true' || raw === 'false') return raw === 'true'
  return ['Edm.Date', 'Edm.DateTimeOffset', 'Edm.Guid'].includes(value as string) ? raw : Number(raw)
}

const operators: Readonly<Record<string, (a: never, b: never) => Value>> = {
  EqualsExpression: (a, b) => a === b,
  NotEqualsExpression: (a, b) => a !== b,
  GreaterThanExpression: (a, b) => a > b,
  GreaterOrEqualsExpression: (a, b) => a >= b,
  LesserThanExpression: (a, b) => a < b,
  LesserOrEqualsExpression: (a, b) => a <= b,
  AddExpression: (a: number, b: number) => a + b,
  SubExpression: (a: number, b: number) => a - b,
  MulExpression: (a: number, b: number) => a * b,
}

const methods: Readonly<Record<string, (...args: never[]) => Value>> = {
  contains: (text: string, other: string) => text.includes(other),
  startswith: (text: string, other: string) => text.startsWith(other),
  endswith: (text: string, other: string) => text.endsWith(other),
  concat: (text: string, other: string) => text + other,
  tolower: (text: string) => text.toLowerCase(),
  toupper: (text: string) => text.toUpperCase(),
  trim: (text: string) => text.trim(),
  length: (text: string) => text.length,
  substring: (text: string, from: number, length?: number) =>
    text.slice(from, length === undefined ? undefined : from + length),
  year: (date: string) => Number(date.slice(0, 4)),
  month: (date: string) => Number(date.slice(5, 7)),
  day: (date: string) => Number(date.slice(8, 10)),
  floor: (number: number) => Math.floor(number),
  ceiling: (number: number) => Math.ceil(number),
}
