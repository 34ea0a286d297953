// The external services that a change list contains, found without reading the rest of it.
import type { CandidateComponent } from '#kernel/change/index.ts'
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { parseComponent } from '#kernel/components/parse.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { Caller } from './change-source.ts'
import { visibleDraftsOfTypes } from './draft-access.ts'
import { parseDraft } from './parse-draft.ts'
import { readServiceFiles } from './read-directory.ts'
import type { ChangeSource } from './request.ts'

export interface ListedService {
  component: ComponentOf<'external_service'>
  /** Its key before the list, if the list renames it. */
  renamedFrom?: string | undefined
}

export interface ListedServices {
  services: readonly ListedService[]
  /** Named credentials of the list, by key. */
  credentials: ReadonlyMap<string, ComponentOf<'named_credential'>>
  /** Texts of descriptions that come with the list, by the key of the service. */
  descriptions: Readonly<Record<string, string>>
}

const concerned = ['external_service', 'named_credential'] as const
const isConcerned = (type: unknown): boolean => concerned.some((each) => each === type)

/** Content that was applied or submitted before names its descriptions by hash, so it lists none. */
export function listedServices(reader: OrgReader, source: ChangeSource, caller: Caller): ListedServices {
  switch (source.kind) {
    case 'components':
      return servicesAmong(
        source.components.flatMap((json, index) =>
          isConcerned((json as { type?: unknown } | null)?.type) ? parsed(json, index) : [],
        ),
        source.descriptions ?? {},
      )
    case 'directory': {
      const { components, descriptions } = readServiceFiles(source.dir)
      return servicesAmong(components, descriptions)
    }
    case 'drafts':
      return servicesAmong(draftedComponents(reader, source, caller), {})
    case 'generation':
    case 'revert':
    case 'request':
      return servicesAmong([], {})
  }
}

function parsed(json: unknown, index: number): CandidateComponent[] {
  const { component, hints } = parseComponent(json, `components/${index}`)
  return component === null ? [] : [{ component, hints }]
}

function draftedComponents(
  reader: OrgReader,
  { ids, dependencies }: Extract<ChangeSource, { kind: 'drafts' }>,
  { user, viewer }: Caller,
): CandidateComponent[] {
  return visibleDraftsOfTypes(reader, concerned, viewer)
    .filter(({ id, author }) =>
      ids === undefined ? author === user : dependencies === true || ids.includes(id),
    )
    .flatMap((draft) => {
      const found = draft.text === null ? null : parseDraft(draft).parsed
      return found === null ? [] : [found]
    })
}

function servicesAmong(
  components: readonly CandidateComponent[],
  descriptions: Readonly<Record<string, string>>,
): ListedServices {
  return {
    services: components.flatMap(({ component, hints: { renamedFrom } }) =>
      component.type === 'external_service' ? [{ component, renamedFrom }] : [],
    ),
    credentials: new Map(
      components.flatMap(({ component }) =>
        component.type === 'named_credential' ? [[component.key, component] as const] : [],
      ),
    ),
    descriptions,
  }
}
