// External services, their operations and their drift, for the pages of the studio.
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { serviceTypesOf } from '#kernel/components/external-service/find-operation.ts'
import {
  objectType,
  type ServiceObject,
  type ServiceOperation,
  type ServiceType,
  type ServiceTypes,
} from '#kernel/components/external-service/service-types.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { whereUsed, type ReferenceGraph } from '#kernel/graph/index.ts'
import type { ServiceDriftRow, ServiceImportView, ServiceOperationView, ServiceView } from '#wire/services.ts'
import { grantsCalls, type EffectiveAccess } from '../../access/index.ts'
import { changeInWords, type OperationDrift } from '../../external-services/index.ts'
import type { OrgReader } from '../../ports/org-store.ts'
import type { ImportedService } from '../../service-import/index.ts'

type Service = ComponentOf<'external_service'>

export function serviceView(
  { descriptions }: Pick<OrgReader, 'descriptions'>,
  service: Service,
  canCall: boolean,
): ServiceView {
  const { namedCredential, spec } = service.body
  const facts = spec.hash === undefined ? undefined : descriptions.facts(spec.hash)
  return {
    ...{ service: service.key, label: service.label, namedCredential },
    description: facts === undefined ? null : pick(facts),
    operations: (facts?.operations ?? []).map(({ name, method, path, summary, deprecated, words }) => ({
      ...{ name, method, path, summary: summary ?? null, deprecated, words, canCall },
    })),
  }
}

const pick = ({ hash, title, version, bytes, importedAt }: NonNullable<ServiceView['description']>) => ({
  ...{ hash, title, version, bytes, importedAt },
})

export function canCallService(view: ComponentView, access: EffectiveAccess, service: string): boolean {
  return access.platformRoot || grantsCalls(view, `${service}.`, access.permissionSets)
}

/** Null if the service has no such operation. */
export function operationView(
  view: ComponentView,
  service: string,
  name: string,
  canCall: boolean,
): ServiceOperationView | null {
  const types = serviceTypesOf(view, service)
  const operation = types?.operations.find((each) => each.name === name)
  return types === undefined || operation === undefined
    ? null
    : { operation, objects: objectsOf(types, operation), canCall }
}

/** The object types that an operation reaches. */
export function objectsOf(types: ServiceTypes, operation: ServiceOperation): Record<string, ServiceObject> {
  const reached: Record<string, ServiceObject> = {}
  const open: ServiceType[] = [operation.result, ...operation.parameters.map(({ type }) => type)]
  if (operation.body !== null) open.push(operation.body.type)
  for (let type = open.pop(); type !== undefined; type = open.pop()) {
    if (type.kind === 'list') open.push(type.of)
    if (type.kind !== 'object' || Object.hasOwn(reached, type.name)) continue
    const object = objectType(types, type.name)
    if (object === undefined) continue
    reached[type.name] = object
    open.push(...object.members.map((member) => member.type))
    if (object.others !== null) open.push(object.others)
  }
  return reached
}

/** `inUse.hash` is that of the description in use; undefined without one. */
export function importView(
  inUse: { key: string; hash: string | undefined },
  { hash, description, available, warnings, drift }: ImportedService,
  graph: ReferenceGraph,
): ServiceImportView {
  const { title, version, bytes } = description
  return {
    ...{ hash, changed: hash !== inUse.hash, title, version, bytes },
    drift: drift.map((each) => driftRow(inUse.key, each, graph)),
    available: available.map(({ name, method, path, summary }) => ({
      ...{ name, method, path, summary: summary ?? null },
    })),
    warnings: [...warnings],
  }
}

function driftRow(service: string, drift: OperationDrift, graph: ReferenceGraph): ServiceDriftRow {
  const uses = whereUsed(graph, `external_service/${service}`, drift.name)
  return {
    ...{ operation: drift.name, kind: drift.kind },
    before: 'before' in drift ? drift.before : null,
    after: 'after' in drift ? drift.after : null,
    changes: drift.kind === 'changed' ? drift.changes.map(changeInWords) : [],
    usedBy: [...new Set(uses.map(({ from }) => from))],
  }
}
