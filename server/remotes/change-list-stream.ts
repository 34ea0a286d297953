// A change list for a remote as JSON in pieces: a hundred thousand components are never in memory as one text.
import type { Component } from '#kernel/components/body-types.ts'
import { splitId, type ComponentId } from '#kernel/components/component.ts'
import { createYielder } from '../pipeline/index.ts'
import type { ChangeListStream } from './client.ts'
import type { LocalState } from './local-state.ts'

const pieceLength = 64 * 1024

/**
 * What exists here is sent; what does not exist here is removed there. `otherFields` contains the other properties of
 * the request.
 */
export function streamChangeList(
  local: Pick<LocalState, 'contents' | 'descriptionOf' | 'digests' | 'drafts'>,
  going: readonly ComponentId[],
  otherFields: Readonly<Record<string, unknown>>,
  progress: (done: number) => void = () => {},
): ChangeListStream {
  return async function* pieces() {
    const breathe = createYielder()
    const removals: ComponentId[] = []
    const descriptions: [service: string, text: string][] = []
    // A rename removes its old key implicitly.
    const renamed = new Set<string>()
    let text = '{"components":['
    let first = true
    for (const [index, id] of going.entries()) {
      const { type, key } = splitId(id)
      const component = local.digests.has(id)
        ? (local.contents.get(type, key) as Component | undefined)
        : undefined
      if (component === undefined) removals.push(id)
      else {
        const hints = local.drafts.get(id) ?? {}
        if (hints.renamedFrom !== undefined) renamed.add(`${type}/${hints.renamedFrom}`)
        text += `${first ? '' : ','}${JSON.stringify({ ...component, ...hints })}`
        first = false
        const description = local.descriptionOf(component)
        if (description !== null) descriptions.push([key, description])
      }
      if (text.length > pieceLength) {
        yield Buffer.from(text)
        text = ''
        progress(index + 1)
      }
      await breathe()
    }
    const rest = {
      removals: removals.filter((id) => !renamed.has(id)),
      ...(descriptions.length === 0 ? {} : { descriptions: Object.fromEntries(descriptions) }),
      ...otherFields,
    }
    yield Buffer.from(`${text}],${JSON.stringify(rest).slice(1)}`)
    progress(going.length)
  }
}
