// External services: their operations, and imports of their descriptions before anything is applied.
import { z } from 'zod'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { externalServiceBody } from '#kernel/components/external-service/body.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import { requireComponent } from '../../pipeline/index.ts'
import { defineRoute } from '../route.ts'
import { componentKey } from '../schemas/common.ts'
import { canCallService, importView, operationView, serviceView } from '../views/service-view.ts'

const serviceIn = (shown: ComponentView, key: string): ComponentOf<'external_service'> =>
  requireComponent(shown, 'external_service', key) as ComponentOf<'external_service'>

const drafted = (
  key: string,
  body: ComponentOf<'external_service'>['body'],
): ComponentOf<'external_service'> => ({
  ...{ type: 'external_service', key, label: key, body },
})

const ofService = z.strictObject({ service: componentKey })
const description = {
  hash: z.string(),
  title: z.string(),
  version: z.string(),
  bytes: z.int().meta({ description: 'Of the bundled description as JSON.' }),
}
const operation = {
  name: z.string(),
  method: z.string(),
  path: z.string(),
  summary: z.string().nullable(),
}

export const service = defineRoute({
  method: 'get',
  path: '/setup/v3/services/{service}',
  name: 'getService',
  summary: 'Get the operations of an external service with their signatures',
  effect: 'reads',
  params: ofService,
  reply: z
    .object({
      service: z.string(),
      label: z.string(),
      namedCredential: z.string(),
      description: z
        .object({ ...description, importedAt: z.string() })
        .nullable()
        .meta({ description: 'Null if the description is not imported.' }),
      operations: z.array(
        z.object({
          ...operation,
          deprecated: z.boolean(),
          words: z.string().meta({ description: 'The signature: getEntry(id: text) → Entry.' }),
          canCall: z.boolean(),
        }),
      ),
    })
    .meta({ id: 'ExternalService' }),
  errors: ['component.not_found'],
  handle: ({ services, shown, snapshot, access, params }) => {
    const found = serviceIn(shown, params.service)
    const canCall = canCallService(snapshot.view, access, params.service)
    return services.store.read((reader) => serviceView(reader, found, canCall))
  },
})

export const serviceOperation = defineRoute({
  method: 'get',
  path: '/setup/v3/services/{service}/operations/{operation}',
  name: 'getServiceOperation',
  summary:
    'Get the parameters, the body and the result of an operation, with the object types that they have',
  effect: 'reads',
  params: z.strictObject({ service: componentKey, operation: z.string().min(1).max(400) }),
  reply: z.object({
    operation: z.unknown(),
    objects: z.record(z.string(), z.unknown()),
    canCall: z.boolean(),
  }),
  errors: ['component.not_found', 'operation.not_found'],
  handle: ({ shown, snapshot, access, params }) => {
    serviceIn(shown, params.service)
    const canCall = canCallService(snapshot.view, access, params.service)
    const found = operationView(snapshot.view, params.service, params.operation, canCall)
    if (found !== null) return found
    throw new AlmanacError(
      'operation.not_found',
      `${params.service} has no operation "${params.operation.slice(0, 80)}".`,
    )
  },
})

export const importService = defineRoute({
  method: 'post',
  path: '/setup/v3/services/{service}/import',
  name: 'importService',
  summary: 'Import the description of an external service, and compare it with the one in use',
  effect: 'writes',
  permission: 'metadata.author',
  params: ofService,
  body: z
    .strictObject({
      definition: externalServiceBody.optional().meta({
        description: 'The body of the service as it is drafted; by default the active one.',
      }),
    })
    .prefault({}),
  reply: z
    .object({
      ...description,
      changed: z.boolean().meta({ description: 'Whether it differs from the one in use.' }),
      drift: z.array(
        z.object({
          operation: z.string(),
          kind: z.enum(['added', 'removed', 'changed']),
          before: z.string().nullable(),
          after: z.string().nullable(),
          changes: z.array(z.string()),
          usedBy: z.array(z.string()),
        }),
      ),
      available: z.array(z.object(operation)),
      warnings: z.array(z.string()),
    })
    .meta({ id: 'ServiceImport', description: 'Nothing is applied: set spec.hash to the hash for that.' }),
  errors: [
    'component.not_found',
    'description.unreadable',
    'description.unsupported',
    'description.invalid',
    'integration.unreachable',
    'integration.address_refused',
    'integration.refused',
    'integration.redirect_refused',
    'integration.secret_absent',
    'integration.timeout',
    'integration.too_large',
  ],
  handle: async ({ services, shown, params, by, body: { definition } }) => {
    const active =
      definition === undefined
        ? serviceIn(shown, params.service)
        : shown.get('external_service', params.service)
    const found = definition === undefined ? active! : drafted(params.service, definition)
    const hash = active?.body.spec.hash
    const base = services.store.read(({ descriptions }) => {
      const [facts, bundle] =
        hash === undefined ? [] : [descriptions.facts(hash), descriptions.bundleText(hash)]
      return facts === undefined || bundle === undefined
        ? undefined
        : { bundle, operations: facts.operations }
    })
    const credential = shown.get('named_credential', found.body.namedCredential)
    const source = { service: found, text: null, credential, hasNoSecret: false }
    const caller = { actor: by.actor, correlationId: by.correlationId }
    const imported = await services.serviceImports.importAgain(source, caller, base)
    return importView({ key: params.service, hash }, imported, services.org.graph())
  },
})
