// Words and declarations of the types of a service.
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { typeDeclarations } from '../../config/type-declarations.ts'
import { MemoryView } from '../memory-view.ts'
import { datetimeDeclaration, serviceDeclarations } from './service-declarations.ts'
import {
  memberType,
  serviceTypeText,
  signatureInWords,
  type ServiceType,
  type ServiceTypes,
} from './service-types.ts'

const types: ServiceTypes = {
  operations: [
    {
      ...{
        name: 'createEntry',
        method: 'POST',
        path: '/entries',
        summary: 'Books */ an entry.',
        deprecated: true,
      },
      parameters: [
        { key: 'account', name: 'account', in: 'query', required: true, type: { kind: 'text' } },
        { key: 'X-Tenant', name: 'X-Tenant', in: 'header', required: false, type: { kind: 'decimal' } },
      ],
      body: { required: true, mediaType: 'application/json', type: { kind: 'object', name: 'Entry' } },
      responses: {},
      result: { kind: 'list', of: { kind: 'object', name: 'Entry', nullable: true } },
    },
    {
      ...{
        name: 'GET /x',
        method: 'GET',
        path: '/x',
        parameters: [],
        body: null,
        responses: {},
        result: { kind: 'absent' },
      },
    },
  ],
  objects: {
    Entry: {
      description: 'An entry.',
      members: [
        { key: 'id', type: { kind: 'decimal', wire: 'text' }, required: true, only: 'response' },
        { key: 'secret', type: { kind: 'text' }, required: false, only: 'request' },
        { key: 'booked on', type: { kind: 'date', nullable: true }, required: true },
        { key: 'children', type: { kind: 'list', of: { kind: 'object', name: 'Entry' } }, required: false },
        { key: 'kind', type: { kind: 'text', values: ['a', 'b'] }, required: true },
      ],
      others: null,
    },
    Map: { members: [], others: { kind: 'datetime' } },
  },
}

it.each<[ServiceType, string]>([
  [{ kind: 'decimal', nullable: true }, 'number or nothing'],
  [{ kind: 'list', of: { kind: 'dyn' } }, 'list of any value'],
  [{ kind: 'text', values: ['a', 'b', 'c', 'd', 'e', 'f'] }, '"a" | "b" | "c" | "d" | "e" | …'],
  [{ kind: 'absent' }, 'nothing'],
])('%j is called %s', (type, text) => {
  expect(serviceTypeText(type)).toBe(text)
})

it('an operation has a signature in words', () => {
  expect(types.operations.map(signatureInWords)).toEqual([
    'createEntry(account: text, X-Tenant?: number, body: Entry) → list of Entry or nothing',
    'GET /x() → nothing',
  ])
})

describe('a member', () => {
  it.each<[ServiceType, string, ServiceType | null]>([
    [{ kind: 'object', name: 'Entry' }, 'kind', { kind: 'text', values: ['a', 'b'] }],
    [{ kind: 'object', name: 'Entry' }, 'secret', null],
    [{ kind: 'object', name: 'Entry' }, 'constructor', null],
    [{ kind: 'object', name: 'Map' }, 'any', { kind: 'datetime' }],
    [{ kind: 'object', name: 'constructor' }, 'name', null],
    [{ kind: 'dyn' }, 'any', { kind: 'dyn' }],
    [{ kind: 'text' }, 'length', null],
  ])('of %j called %s has the type %j', (type, key, expected) => {
    expect(memberType(types, type, key)).toEqual(expected)
  })
})

describe('declarations', () => {
  const text = serviceDeclarations('LedgerService', 'The ledger', types)
  const module = `${typeDeclarations(new MemoryView([]), 1)}\n${datetimeDeclaration}\n${text}\n`

  /** All that the declarations need of a library; the real one takes the compiler seconds. */
  const library = [
    ...['Array<T>', 'ReadonlyArray<T>'].map((name) => `interface ${name} { readonly [at: number]: T }`),
    ...['Boolean', 'CallableFunction', 'Function', 'IArguments', 'NewableFunction', 'Number', 'Object'].map(
      (name) => `interface ${name} {}`,
    ),
    ...['RegExp', 'String'].map((name) => `interface ${name} {}`),
  ].join('\n')

  /** Messages of the compiler on the declarations with some code after them. */
  function problemsOf(code: string): string[] {
    const files: Record<string, string> = { 'types.ts': module + code, 'library.ts': library }
    const options = { strict: true, noEmit: true, noLib: true, types: [] }
    const host = ts.createCompilerHost(options)
    host.getSourceFile = (name, version) =>
      files[name] === undefined ? undefined : ts.createSourceFile(name, files[name], version)
    const program = ts.createProgram(Object.keys(files), options, host)
    const file = program.getSourceFile('types.ts')
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '),
    )
  }

  it('compile', () => {
    expect(problemsOf('')).toEqual([])
  })

  it('check the arguments and results of an operation', () => {
    const use = `
      type Create = LedgerService.Operations['createEntry']
      const args: Create['args'] = { account: 'a', body: { 'booked on': null, kind: 'a' } }
      declare const result: Create['result']
      const kind: 'a' | 'b' | undefined = result[0]?.kind
      const none: LedgerService.Operations['GET /x'] = { args: {}, result: null }`
    expect(problemsOf(use)).toEqual([])
    expect(problemsOf(use.replace("kind: 'a' }", "kind: 'z' }"))).toHaveLength(1)
    expect(problemsOf(use.replace("account: 'a', ", ''))).toHaveLength(1)
  })

  it('cannot be left by a description', () => {
    expect(text).toContain('/** Books * / an entry. @deprecated */')
  })
})
