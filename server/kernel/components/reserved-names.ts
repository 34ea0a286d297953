// Reserved names in expressions, and which of them a component or a member can still have
// (docs/reference/resolution-and-dates.md). A test of the language checks the lists.

/** Literals, which are never names, not even after a dot. */
const literals = ['true', 'false', 'null', 'in']

/** Words that CEL reserves: allowed only after a point. */
const reserved = [
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'namespace',
  'package',
  'prototype',
  'return',
  'var',
  'void',
  'while',
]

/** The roots of configuration and flags. */
const roots = ['config', 'flag']

/** Built-in functions, which cannot be calc functions. */
const builtInNames = [
  'callout',
  'now',
  'today',
  'current_date',
  'utcnow',
  'getdate',
  'all',
  'exists',
  'exists_one',
  'filter',
  'map',
  'changed',
  'present',
  'coalesce',
  'text',
  'number',
  'boolean',
  'list',
  'size',
  'round',
  'floor',
  'ceil',
  'abs',
  'min',
  'max',
  'date',
  'datetime',
  'year',
  'month',
  'day',
  'contains',
  'matches',
  'lower',
  'upper',
  'trim',
  'substring',
]

/** `config.<set>`, `config.<set>.<name>`, `flag.<name>` cannot be written. */
export const reservedMemberNames: ReadonlySet<string> = new Set(literals)

/** A field or an input with one of these names cannot be read. */
export const reservedNames: ReadonlySet<string> = new Set([...literals, ...reserved, ...roots])

/** A calc function with one of these keys cannot be called, or would be mistaken for something else. */
export const reservedFunctionNames: ReadonlySet<string> = new Set([...reservedNames, ...builtInNames])
