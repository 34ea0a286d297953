// The custom-elements manifest, which the analyzer reads from the doc comments, reduced to what the package exports.
import { readFileSync } from 'node:fs'
import * as analyzer from '@custom-elements-manifest/analyzer'
import type {
  Attribute,
  ClassMember,
  CustomElementDeclaration,
  CustomElementField,
  Declaration,
  Module,
  Package,
} from 'custom-elements-manifest'
import type TypeScript from 'typescript'
import { root } from './root.ts'

// Missing from the package's own types.
const { create, ts } = analyzer as unknown as {
  create(given: { modules: TypeScript.SourceFile[] }): Package
  ts: typeof TypeScript
}

const sources = [
  'lookup-field/lookup-field.ts',
  'lookup-field/words.ts',
  'sources/array-source.ts',
  'sources/fetch-source.ts',
]

/** The published files: one with the element and its functions, one with the sources alone. */
export function manifest(): Package {
  const modules = sources.map((path) => {
    const text = readFileSync(new URL(path, root), 'utf8')
    return ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true)
  })
  const read = create({ modules })
  return {
    schemaVersion: '2.1.0',
    readme: 'README.md',
    modules: [
      moduleOf('dist/index.js', 'index.ts', read),
      moduleOf('dist/sources.js', 'sources/index.ts', read),
    ],
  }
}

function moduleOf(module: string, entry: string, read: Package): Module {
  const exported = new Set(exportedNames(entry))
  const declarations = read.modules
    .flatMap((each) => each.declarations ?? [])
    .filter(({ name }) => exported.has(name))
    .map(publicDeclaration)
  const exports = declarations.flatMap(({ name, ...rest }) => {
    const declaration = { name, module }
    const own = { kind: 'js' as const, name, declaration }
    return 'tagName' in rest && rest.tagName !== undefined
      ? [own, { kind: 'custom-element-definition' as const, name: rest.tagName, declaration }]
      : [own]
  })
  return { kind: 'javascript-module', path: module, declarations, exports }
}

export function elementIn({ modules }: Package): CustomElementDeclaration {
  return modules[0]!.declarations!.find(
    (each) => 'tagName' in each && each.tagName === 'svc-lookup-field',
  ) as CustomElementDeclaration
}

function exportedNames(entry: string): string[] {
  const text = readFileSync(new URL(entry, root), 'utf8')
  const file = ts.createSourceFile(entry, text, ts.ScriptTarget.ES2022, true)
  return file.statements.flatMap((each) => {
    if (!ts.isExportDeclaration(each) || each.isTypeOnly || each.exportClause === undefined) return []
    if (!ts.isNamedExports(each.exportClause)) return []
    return each.exportClause.elements.filter((one) => !one.isTypeOnly).map((one) => one.name.text)
  })
}

/** Removes private and static members, members that only the browser calls, and the folders of the source. */
function publicDeclaration(declaration: Declaration): Declaration {
  const { members, attributes, ...rest } = JSON.parse(
    JSON.stringify(declaration, (key, value: unknown) => (hidden.has(key) ? undefined : value)),
  ) as CustomElementDeclaration
  if (members === undefined) return rest as Declaration
  const own = attributes?.filter(({ name }) => !ofEveryElement.test(name)) ?? []
  const reflecting = members.filter((each) => isReflected(each, own)).map(({ name }) => name)
  return {
    ...rest,
    // A server that renders markup has no HTMLElement, so a different class replaces it.
    superclass: { name: 'HTMLElement', package: 'global:' },
    attributes: own.map((each) =>
      reflecting.includes(each.name) ? { ...each, fieldName: each.name } : each,
    ),
    members: members
      .filter(isPublic)
      .map((each) =>
        reflecting.includes(each.name) ? { ...each, attribute: each.name, reflects: true } : each,
      ),
  } as Declaration
}

/** Attributes that HTML gives to every element: they are observed, but are not specific to this one. */
const ofEveryElement = /^(dir|title|aria-.+)$/

const hidden = new Set(['inheritedFrom', 'resolveInitializer'])

/** Whether a property reflects its attribute: `form` does not, because it returns an element. */
function isReflected(
  { name, type }: Pick<CustomElementField, 'name' | 'type'>,
  attributes: Attribute[],
): boolean {
  return attributes.some((each) => each.name === name) && /^string/.test(type?.text ?? '')
}

function isPublic({ name, privacy, static: ofClass }: ClassMember & { privacy?: string }): boolean {
  return privacy !== 'private' && privacy !== 'protected' && !ofClass && !/Callback$/.test(name)
}
