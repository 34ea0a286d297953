// Names with a meaning of their own in expressions; which of them a component or a member can still have
// (specification 2.7.6; completions 3). A test of the language holds the lists true.

/** Texts, never names: not even after a point. */
const literals = ['true', 'false', 'null', 'in']

/** Words that CEL keeps: they stand after a point, and nowhere else. */
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

/** Under these, configuration and flags are read. */
const roots = ['config', 'flag']

/** Called like a function, and never a calc function. */
const called = [
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
  'present',
  'coalesce',
  'text',
  'number',
  'size',
  'round',
  'floor',
  'ceil',
  'abs',
  'min',
  'max',
  'date',
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
export const unreadableAfterPoint: ReadonlySet<string> = new Set(literals)

/** A field or an input of this name cannot be read by it. */
export const unreadableBare: ReadonlySet<string> = new Set([...literals, ...reserved, ...roots])

/** A calc function of this key would never be called, or would be taken for something else. */
export const takenByTheLanguage: ReadonlySet<string> = new Set([...unreadableBare, ...called])
