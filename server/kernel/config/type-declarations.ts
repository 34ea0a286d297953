// Generates TypeScript declarations of every set and flag, for applications that read them
// (docs/reference/resolution-and-dates.md).
import type { ComponentOf } from '../components/body-types.ts'
import type { ConfigFieldType } from '../components/field-types.ts'
import type { ComponentView } from '../components/view.ts'

const preamble = `/** An exact decimal in plain notation, such as "0.1900". Never a binary float. */
export type DecimalText = string & { readonly decimal?: never }
/** A calendar date, YYYY-MM-DD. */
export type DateText = string & { readonly date?: never }`

/**
 * Returns one module: `Config` with an accessor for each set, `Flags` with a boolean for each flag. The same view gives
 * the same text.
 */
export function typeDeclarations(view: ComponentView, generation: number): string {
  const sets = [...view.list('config_set')]
  const flags = [...view.list('feature_flag')]
  return [
    `// Declarations of the sets and flags of generation ${generation}. Made by \`almanac types\`; do not edit.`,
    preamble,
    ...sets.map((set) => rowInterface(set, view)),
    `export interface Config {\n${sets.map((set) => accessor(set, view)).join('')}}`,
    `export interface Flags {\n${flags.map(flagProperty).join('')}}`,
    '',
  ].join('\n\n')
}

function rowInterface(set: ComponentOf<'config_set'>, view: ComponentView): string {
  const fields = set.body.fields.map((field) => {
    const type = typeText(field.type, field.valueSet, view)
    const optional = field.required ? type : `${type} | null`
    return `${comment(field.label ?? field.help, '  ')}  readonly ${field.key}: ${optional}\n`
  })
  return `${comment(set.label, '')}export interface ${typeNameOf(set.key)} {\n${fields.join('')}}`
}

/** Resolution always returns a value, so an accessor is never nullable (docs/reference/resolution-and-dates.md). */
function accessor(set: ComponentOf<'config_set'>, view: ComponentView): string {
  const { keyedBy, effectiveDated } = set.body
  const head = comment(effectiveDated ? `${set.label}; effective-dated` : set.label, '  ')
  if (keyedBy === undefined) return `${head}  readonly ${set.key}: ${typeNameOf(set.key)}\n`
  const key = typeText(keyedBy.type, keyedBy.valueSet, view)
  return `${head}  ${set.key}(${parameterOf(keyedBy.key)}: ${key}): ${typeNameOf(set.key)}\n`
}

function flagProperty(flag: ComponentOf<'feature_flag'>): string {
  return `${comment(`${flag.label}; expires on ${flag.body.expiresOn}`, '  ')}  readonly ${flag.key}: boolean\n`
}

function typeText(type: ConfigFieldType, valueSet: string | undefined, view: ComponentView): string {
  switch (type) {
    case 'number':
      return 'DecimalText'
    case 'date':
      return 'DateText'
    case 'boolean':
      return 'boolean'
    case 'text':
    case 'credential_reference':
      return 'string'
    case 'enum': {
      const values = valueSet === undefined ? undefined : view.get('value_set', valueSet)?.body.values
      return values === undefined || values.length === 0
        ? 'string'
        : values.map(({ key }) => JSON.stringify(key)).join(' | ')
    }
  }
}

/** Words that cannot name a parameter of a module. */
const reservedWords = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends ' +
    'false finally for function if implements import in instanceof interface let new null package private protected ' +
    'public return static super switch this throw true try typeof var void while with yield'
  ).split(' '),
)

function parameterOf(key: string): string {
  return reservedWords.has(key) ? `${key}_` : key
}

/** Names that the generated module, or a module that imports it, already uses. */
const reservedTypeNames = new Set([
  ...['Config', 'Flags', 'DecimalText', 'DateText'],
  ...[
    'Array',
    'Boolean',
    'Date',
    'Error',
    'Function',
    'Map',
    'Number',
    'Object',
    'Promise',
    'Record',
    'Set',
    'String',
  ],
])

/**
 * `vat_rate` → `VatRate`, `config` → `Config$`; an underscore without a letter after it stays, so two keys never have
 * the same name.
 */
function typeNameOf(key: string): string {
  const name = key.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return reservedTypeNames.has(name) ? `${name}$` : name
}

function comment(text: string | undefined, indent: string): string {
  return text === undefined || text === ''
    ? ''
    : `${indent}/** ${text.replaceAll('*/', '* /').replaceAll('\n', ' ')} */\n`
}
