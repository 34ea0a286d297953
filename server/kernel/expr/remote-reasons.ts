// Why the source of a virtual object cannot apply a part of a filter, and what to write instead.
import type { RemoteKind } from '../components/object/remote-type.ts'
import type { TypedExpression } from './typed-tree.ts'

/** Functions that people try. */
const functions: Readonly<Record<string, string>> = {
  matches: 'OData 4 has no regular expressions; use startsWith, endsWith or contains',
  round:
    'OData 4 rounds only to whole numbers, and rounds halves differently; compare with the bounds of the range',
  coalesce: 'OData 4 has no coalesce; test present(…) and compare separately',
  addDays: 'OData 4 cannot count days; compute the date on the other side of the comparison',
  addMonths: 'OData 4 cannot count months; compute the date on the other side of the comparison',
  daysBetween: 'OData 4 cannot count days; compare the two dates',
}

const kindNames: Readonly<Record<RemoteKind, string>> = {
  string: 'a text',
  guid: 'a GUID',
  enumeration: 'an enumeration',
  integer: 'a whole number',
  decimal: 'a number',
  float: 'a binary floating-point number',
  boolean: 'a boolean',
  date: 'a date',
  datetime: 'a datetime',
}

export const reasons = {
  condition: 'a condition that is used as a value; write it with && and ||',
  textOrder: 'the order of texts, which each source decides differently; compare with ==, or use startsWith',
  position: 'a position that depends on the row; use a constant',
  float:
    'arithmetic with a binary floating-point number, which is not exact there; compare the field itself with a value',
  operator: {
    '/': '"/": OData 4 divides whole numbers without a remainder; multiply the other side',
    '%': '"%": OData 4 has remainders of whole numbers only; compare the field itself',
  },
  formula: (field: string) => `the formula ${field}, which is computed here; write out its condition`,
  path: (object: string) =>
    `a field of another object: the rows of ${object} do not contain it; filter by a field of ${object}`,
  notText: (kind: RemoteKind) =>
    `a text function of a field that is ${kindNames[kind]} in the source; compare it with == or in`,
  kinds: (a: RemoteKind, b: RemoteKind) =>
    `the comparison of ${kindNames[a]} with ${kindNames[b]}, which are different types in the source; compare each with a value`,
  moment: (name: string) =>
    `${name}(…) of a datetime, which the source takes at the offset of each value; compare date(…) with a constant date, or the field itself with datetime(…)`,
  call: (name: string) =>
    `${name}(…): ${functions[name] ?? 'OData 4 has no such function; compare the field itself'}`,
  node: nodeReason,
} as const

function nodeReason(node: TypedExpression): string {
  switch (node.op) {
    case 'record_id':
      return 'the id; filter by the field of the source that it comes from'
    case 'calc':
      return `the calc function ${node.function}, which exists only here; write out its condition`
    case 'row':
    case 'config':
      return 'configuration that depends on the row; read it with a fixed key, from a set without dates'
    case 'choose':
      return 'a conditional "? :"; write it with && and ||'
    case 'macro':
      return `${node.macro}; write out the conditions with && and ||`
    case 'list':
      return 'a list of fields; write out the conditions with ||'
    default:
      return 'this part; compare a field with a value'
  }
}
