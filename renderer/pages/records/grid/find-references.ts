// Finds the record that a pasted name means, with the record search of the data API.
import { searchRecords, type InApp } from '../../../api/records.ts'
import { messageOf } from '../../../api/request.ts'
import { describedObject, nameFieldOf } from '../record-source.ts'

export type FoundReference = { id: string; name: string; why?: undefined } | { id?: undefined; why: string }

/** The search finds beginnings of words, so it can find more than the record of this name. */
const mostFound = 200
/** How many searches run at the same time. */
const atOnce = 4

/** The records of an object, by the names that were pasted. */
export async function findReferences(
  object: string,
  names: readonly string[],
  { epoch, app }: { epoch: number; app: InApp },
): Promise<ReadonlyMap<string, FoundReference>> {
  const found = new Map<string, FoundReference>()
  const described = await describedObject(object, epoch).catch(() => null)
  const nameField = described === null ? null : nameFieldOf(described)
  if (described === null || nameField === null)
    return new Map(names.map((name) => [name, { why: 'You cannot see the names of its records.' }]))
  const find = async (name: string): Promise<FoundReference> => {
    const { records } = await searchRecords(
      object,
      { text: name, matchFields: [nameField], fields: [nameField], limit: mostFound },
      undefined,
      app,
    )
    return pickReference(
      name,
      records.map(({ id, fields }) => ({ id, name: String(fields[nameField] ?? '') })),
      described.label,
    )
  }
  const waiting = [...names]
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      found.set(name, await find(name).catch((error: unknown) => ({ why: messageOf(error) })))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return found
}

/** The record with exactly this name, otherwise the only one whose name differs in upper and lower case alone. */
export function pickReference(
  name: string,
  records: readonly { id: string; name: string }[],
  label: string,
): FoundReference {
  const exact = records.filter((each) => each.name === name)
  const similar = records.filter((each) => each.name.toLowerCase() === name.toLowerCase())
  const [first, second] = exact.length > 0 ? exact : similar
  if (first === undefined) return { why: `No record of ${label} has the name “${name}”.` }
  if (second !== undefined)
    return { why: `Several records of ${label} have the name “${name}”: choose one in the cell.` }
  return first
}
