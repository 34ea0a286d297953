// docs/reference/component-types.md: every component type, from its room.
import { componentTypes, maxKeyLength, type ComponentType } from '#kernel/components/component.ts'
import type { FieldDescriptor } from '#kernel/components/form.ts'
import { formOf } from '#kernel/components/forms.ts'
import { bodyJsonSchema, envelopeJsonSchema } from '#kernel/components/json-schema.ts'
import { itemKeysOf } from '#kernel/components/item-keys.ts'
import { roomOf } from '#kernel/components/registry.ts'
import { findingCodes } from '#kernel/errors/finding-codes.ts'
import { findingHelp } from '#kernel/errors/finding-help.ts'
import { findingCodesOf } from './finding-codes-of.ts'
import { anchor, blocks, code, codes, json, linkTo, plain, table } from './markdown.ts'
import { propertyRows, type PropertyRow } from './property-rows.ts'

export function componentTypesPage(): string {
  return blocks(introduction, typeList(), commonParts(), ...componentTypes.map(section))
}

const introduction = `# Component types

A component is a unit of configuration: a JSON object with a type, a key, a label and a body. This page describes every type:
the properties of its body, what it refers to, what its rules report, and a valid example. In the studio, a form edits the same
properties, and the JSON editor checks them while you type.`

function typeList(): string {
  const rows = componentTypes.map((type) => {
    const { title, doc } = roomOf(type)
    return [linkTo(headingOf(type)).replace(headingOf(type), title), code(type), plain(doc.summary)]
  })
  return table(['type', 'name in JSON', 'what it is'], rows)
}

const headingOf = (type: ComponentType): string => {
  const { title } = roomOf(type)
  return title.charAt(0).toUpperCase() + title.slice(1)
}

function commonParts(): string {
  const { properties = {}, required = [] } = envelopeJsonSchema('value_set')
  const help: Readonly<Record<string, string>> = {
    key: 'Identifies the component among those of its type; others refer to it.',
    body: 'The content. Its properties depend on the type.',
  }
  const rows = Object.entries(properties).map(([name, { description = '' }]) => [
    code(name),
    required.includes(name) ? 'yes' : '',
    plain(help[name] ?? description),
  ])
  return blocks(
    '## What all types share',
    table(['property', 'required', 'meaning'], rows),
    `A key starts with a letter a to z, contains only a to z, digits and underscores, and has at most ${maxKeyLength} characters. The key
of an entry is the key of its set, a dot and a slug with the same rules: \`vat_rate.de_2021\`.

In a directory, a component is the file \`<type>/<key>.json\`, and an entry is \`config_entry/<set>/<slug>.json\`. Files have sorted
keys, an indent of two spaces and a final newline. [Keep a repository of
components](../how-to/keep-a-repository-of-components.md) explains directories.

Unknown properties are errors. A property that is omitted has its default, and the digest of a component is the same with and
without it. Lists whose order has no meaning are sorted.

In the tables, \`[]\` follows a list and precedes the properties of its items, and a step in angle brackets is a name that the author
chooses. An expression is a text in [the language of expressions](expressions.md). A date is a text \`YYYY-MM-DD\`.

Besides the findings that are listed with each type, every component is checked for its form (\`body.*\`, \`envelope.*\`, \`key.*\`), its
references (\`reference.*\`) and its expressions (\`expr.*\`). [Errors and findings](errors.md) lists all of them.`,
  )
}

function section(type: ComponentType): string {
  const { author, doc } = roomOf(type)
  const rows = propertyRows(bodyJsonSchema(type), formOf(type)).map((row) => withOmission(type, row))
  return blocks(
    `## ${headingOf(type)}`,
    plain(doc.summary),
    doc.text,
    table(
      ['file', 'permission to change it', 'refers to'],
      [[code(fileOf(type)), code(author), referencesText(type)]],
    ),
    table(
      ['property', 'type', 'required', 'default', 'meaning'],
      rows.map((row) => [
        code(row.path),
        row.type,
        row.required ? 'yes' : '',
        row.default,
        [row.meaning, ...row.conditions].filter((part) => part !== '').join('<br>'),
      ]),
    ),
    itemKeysText(itemKeysOf(type)),
    findingsTable(type),
    'A valid example:',
    json({ type, key: exampleKey(type), label: 'Example', body: doc.example }),
    `[Back to the list of types](${anchor('Component types')})`,
  )
}

const fileOf = (type: ComponentType): string =>
  type === 'config_entry' ? 'config_entry/<set>/<slug>.json' : `${type}/<key>.json`

const exampleKey = (type: ComponentType): string =>
  type === 'config_entry' ? `${roomOf(type).body.parse(roomOf(type).doc.example).set}.example` : 'example'

/** A property that the schema requires but a preprocessing step fills in, as the example shows. */
function withOmission(type: ComponentType, row: PropertyRow): PropertyRow {
  const { body, doc } = roomOf(type)
  if (!row.required || row.path.includes('.') || Object.hasOwn(doc.example as object, row.path)) return row
  if (row.conditions.length > 0) return row
  const parsed = body.parse(doc.example) as unknown as Record<string, unknown>
  return { ...row, required: false, default: code(JSON.stringify(parsed[row.path])) }
}

/** The types that the form offers for references, and those that the example refers to. */
function referencesText(type: ComponentType): string {
  const { body, doc, references } = roomOf(type)
  const fields = formOf(type).sections.flatMap((each) => each.fields.flatMap(withInner))
  const example = { type, key: exampleKey(type), label: 'Example', body: body.parse(doc.example) }
  const types = new Set<string>([
    ...fields.flatMap(({ refTypes = [] }) => refTypes),
    ...fields.flatMap(({ widget }) => (widget === 'grants' ? ['permission_set'] : [])),
    ...references(example).map(({ to }) => to.slice(0, to.indexOf('/'))),
  ])
  const named = componentTypes.filter((each) => types.has(each))
  const reads = fields.some(({ expression }) => expression !== undefined)
  return [
    ...(named.length === 0 ? [] : [codes(named)]),
    ...(reads ? ['what its expressions read'] : []),
  ].join('; ')
}

function withInner(field: FieldDescriptor): FieldDescriptor[] {
  return [field, ...(field.fields ?? []).flatMap(withInner)]
}

function itemKeysText(itemKeys: Readonly<Record<string, string>>): string {
  const lists = Object.entries(itemKeys).map(([path, name]) => {
    const list = path.slice(1).replaceAll('/*/', '[].').replaceAll('/', '.')
    return `${code(list)} by ${code(name)}`
  })
  return lists.length === 0
    ? ''
    : `A comparison matches the items of a list by their key: ${lists.join(', ')}.`
}

function findingsTable(type: ComponentType): string {
  const rows = findingCodesOf(type).map((each) => [
    code(each),
    findingHelp[each].severities.join(' or '),
    plain(findingCodes[each]),
  ])
  return table(['finding', 'severity', 'meaning'], rows)
}
