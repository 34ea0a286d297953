// The identifiers and anchors of the schemas of a document: what a reference can name besides a pointer.
import { textIn, type JsonObject } from '../json.ts'
import { partStep, type PartKind } from './grammar.ts'

/** Address, with `#anchor` for an anchor → steps to the schema. */
export type Identifiers = ReadonlyMap<string, string[]>

export function indexIdentifiers(document: JsonObject, base: string): Identifiers {
  const found = new Map<string, string[]>()
  visit(document, 'document', base, [], found)
  return found
}

function visit(
  part: unknown,
  kind: PartKind,
  base: string,
  path: string[],
  found: Map<string, string[]>,
): void {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return
  const inner = kind === 'schema' ? baseWithin(part as JsonObject, base) : base
  if (kind === 'schema') addSchema(part as JsonObject, inner, inner !== base, path, found)
  for (const [name, value] of Object.entries(part)) {
    const step = partStep(kind, name)
    if (step === null) continue
    if (step.shape === 'one') visit(value, step.kind, inner, [...path, name], found)
    else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value))
        visit(item, step.kind, inner, [...path, name, key], found)
  }
}

function addSchema(
  schema: JsonObject,
  base: string,
  isResource: boolean,
  path: string[],
  found: Map<string, string[]>,
): void {
  if (isResource && !found.has(base)) found.set(base, path)
  for (const member of ['$anchor', '$dynamicAnchor']) {
    const anchor = textIn(schema, member)
    if (anchor !== undefined && !found.has(`${base}#${anchor}`)) found.set(`${base}#${anchor}`, path)
  }
}

/** Returns the resource that references below a schema are relative to. */
export function baseWithin(schema: JsonObject, base: string): string {
  const id = textIn(schema, '$id')
  if (id === undefined || !URL.canParse(id, base)) return base
  return new URL(id, base).href.replace(/#.*$/, '')
}
