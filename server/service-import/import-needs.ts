// Which descriptions a change list needs that are not stored yet (docs/reference/external-services.md).
import { withCarriedHash, type Change, type Sha256 } from '#kernel/change/index.ts'
import { componentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import {
  listedServices,
  type ApplyRequest,
  type ListedService,
  type ListedServices,
  type PipelineDeps,
} from '../pipeline/index.ts'
import type { DescriptionReader } from '../ports/descriptions.ts'
import type { OrgReader, OrgStore } from '../ports/org-store.ts'
import { importNeed, type ImportedSource, type ImportNeed } from './import-need.ts'

export interface ImportNeedsDeps {
  store: OrgStore
  sha256: Sha256
  access: PipelineDeps['access']
}

/** Nothing is imported for a user who cannot apply it. */
export function importNeeds(deps: ImportNeedsDeps, request: ApplyRequest): ImportNeed[] {
  return deps.store.read((reader) => {
    const { actor: user, source, rationale } = request
    const viewer = request.isOperator === true ? null : deps.access.viewer(reader, user)
    const list = listedServices(reader, source, { user, viewer, rationale })
    if (list.services.length === 0) return []
    const view = reader.generations.view(reader.generations.active())
    return list.services.flatMap((listed) => {
      const need = needOf(deps.sha256, reader, { view, list, listed })
      if (need === null || !mayApply(deps, reader, request, { view, listed })) return []
      return [importNeed(need, deps.sha256)]
    })
  })
}

interface Asked {
  view: ComponentView
  list: ListedServices
  listed: ListedService
}

function needOf(
  sha256: Sha256,
  { descriptions }: { descriptions: DescriptionReader },
  { view, list, listed: { component, renamedFrom } }: Asked,
): ImportedSource | null {
  const { key, body } = component
  const base = view.get('external_service', key) ?? view.get('external_service', renamedFrom ?? key)
  const { hash } = withCarriedHash(component, base).body.spec
  const text = Object.hasOwn(list.descriptions, key) ? list.descriptions[key]! : null
  // A file as it was retrieved contains nothing new.
  const known = [hash, base?.body.spec.hash].flatMap((each) => (each === undefined ? [] : [each]))
  const digest = text === null ? null : sha256(text)
  const isRetrieved = known.some((each) => descriptions.facts(each)?.fileDigest === digest)
  const isStored = hash !== undefined && descriptions.facts(hash) !== undefined
  if (isStored && (text === null || isRetrieved)) return null
  const credential =
    list.credentials.get(body.namedCredential) ?? view.get('named_credential', body.namedCredential)
  const external = credential?.body.externalCredential
  const hasNoSecret = external !== undefined && !view.has('external_credential', external)
  return { service: component, text: isRetrieved ? null : text, credential, hasNoSecret }
}

function mayApply(
  { access }: ImportNeedsDeps,
  reader: OrgReader,
  { actor }: ApplyRequest,
  { view, listed: { component } }: Omit<Asked, 'list'>,
): boolean {
  const id = componentId('external_service', component.key)
  const before = view.get('external_service', component.key)
  const change: Change =
    before === undefined
      ? { kind: 'added', id, after: component, hints: {} }
      : { kind: 'changed', id, before, after: component, values: [], hints: {} }
  return access.authorise(reader, actor, [change], view, view).length === 0
}
