// Compares two versions of one operation: parameters, request body and responses.
import { canonicalJson } from '#kernel/change/canonical.ts'
import {
  structuralEncoding,
  type OperationContent,
  type OperationParameter,
  type OperationStructure,
} from '../structure/operation-structure.ts'
import { chooseContent } from '../types/choose-content.ts'
import { compareSchemas, type Comparison } from './compare-schemas.ts'

/** Adds the changes to the comparison. */
export function compareOperations(
  before: OperationStructure,
  after: OperationStructure,
  comparison: Comparison,
): void {
  const { changes } = comparison
  if (before.method !== after.method)
    changes.push({
      place: 'operation',
      what: 'method',
      before: before.method.toUpperCase(),
      after: after.method.toUpperCase(),
    })
  if (before.path !== after.path)
    changes.push({ place: 'operation', what: 'path', before: before.path, after: after.path })
  compareParameters(before, after, comparison)
  compareBodies(before.body, after.body, comparison)
  const [was, is] = [before, after].map(
    ({ responses }) => new Map(responses.map(({ status, content }) => [status, content])),
  ) as [Map<string, readonly OperationContent[]>, Map<string, readonly OperationContent[]>]
  for (const status of new Set([...was.keys(), ...is.keys()])) {
    const place = `response ${status}`
    const [old, new_] = [was.get(status), is.get(status)]
    if (old === undefined || new_ === undefined)
      changes.push({
        place,
        what: 'response',
        before: old && contentWords(old),
        after: new_ && contentWords(new_),
      })
    else compareContent(old, new_, place, comparison)
  }
}

function compareParameters(
  before: OperationStructure,
  after: OperationStructure,
  comparison: Comparison,
): void {
  const byId = ({ parameters }: OperationStructure): Map<string, OperationParameter> =>
    new Map(parameters.map((parameter) => [`${parameter.name} (${parameter.in})`, parameter]))
  const [was, is] = [byId(before), byId(after)]
  for (const id of new Set([...was.keys(), ...is.keys()])) {
    const place = `parameter ${id}`
    const [old, new_] = [was.get(id), is.get(id)]
    if (old === undefined || new_ === undefined) {
      const words = (each?: OperationParameter): string | undefined =>
        each && (each.required ? 'required' : 'optional')
      comparison.changes.push({ place, what: 'parameter', before: words(old), after: words(new_) })
      continue
    }
    for (const what of ['required', 'style', 'explode', 'allowReserved', 'mediaType'] as const)
      if (old[what] !== new_[what])
        comparison.changes.push({ place, what, before: textOf(old[what]), after: textOf(new_[what]) })
    compareSchemas(old.schema, new_.schema, place, comparison)
  }
}

function compareBodies(
  before: OperationStructure['body'],
  after: OperationStructure['body'],
  comparison: Comparison,
): void {
  const place = 'request body'
  if (before === null && after === null) return
  if (before === null || after === null) {
    const words = (body: OperationStructure['body']): string | undefined =>
      body === null ? undefined : body.required ? 'required' : 'optional'
    comparison.changes.push({ place, what: 'body', before: words(before), after: words(after) })
    return
  }
  if (before.required !== after.required)
    comparison.changes.push({
      place,
      what: 'required',
      before: String(before.required),
      after: String(after.required),
    })
  compareContent(before.content, after.content, place, comparison)
}

function compareContent(
  before: readonly OperationContent[],
  after: readonly OperationContent[],
  place: string,
  comparison: Comparison,
): void {
  const [was, is] = [before, after].map(
    (content) => new Map(content.map((each) => [each.mediaType, each])),
  ) as [Map<string, OperationContent>, Map<string, OperationContent>]
  const used = chooseContent(after)?.mediaType
  for (const mediaType of new Set([...was.keys(), ...is.keys()])) {
    const [old, new_] = [was.get(mediaType), is.get(mediaType)]
    if (old === undefined) comparison.changes.push({ place, what: 'media type', after: mediaType })
    else if (new_ === undefined) comparison.changes.push({ place, what: 'media type', before: mediaType })
    else {
      const at = mediaType === used ? place : `${place} as ${mediaType}`
      const encodings = [old, new_].map(({ encoding }) => canonicalJson(structuralEncoding(encoding)))
      if (encodings[0] !== encodings[1])
        comparison.changes.push({ place: at, what: 'encoding', before: encodings[0], after: encodings[1] })
      compareSchemas(old.schema, new_.schema, at, comparison)
    }
  }
}

const contentWords = (content: readonly OperationContent[]): string =>
  content.map(({ mediaType }) => mediaType).join(', ') || 'without a body'

const textOf = (value: string | boolean | undefined): string | undefined =>
  value === undefined ? undefined : String(value)
