// Remote orgs: stored, tested, pinned, compared, and changes by others.
import { z } from 'zod'
import type { ErrorCode } from '#kernel/errors/catalogue.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import type { CompareState, Comparison } from '#wire/remotes.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import type { Budget } from '../budget.ts'
import { emptyReply } from '../reply.ts'
import { defineRoute } from '../route.ts'
import { viewingActor } from '../views/viewing-actor.ts'
import { componentId, componentKey, componentType, pageQuery, wholeNumber } from '../schemas/common.ts'
import {
  compareStates,
  comparison,
  comparisonIndex,
  custodyStatus,
  localSource,
  newRemote,
  remoteChange,
  remoteDrift,
  remoteGenerationChanges,
  remoteHistory,
  remoteKey,
  remoteTexts,
  remoteView,
} from '../schemas/remotes.ts'

const path = '/setup/v3/remotes'
const params = z.strictObject({ key: remoteKey })
const permission = 'integration.manage_credentials'

/** A small number of drafts is saved on the main thread. */
const takeBudget: Partial<Budget> = { lane: 'long', inlineUpToBytes: 1024, deadlineMs: 120_000 }

/** Error codes of all calls to a remote. */
const remoteErrors: readonly ErrorCode[] = [
  'remote.not_found',
  'secret.absent',
  'secret.custody',
  'conflict.lineage_changed',
  'integration.unreachable',
  'integration.address_refused',
  'integration.tls',
  'integration.timeout',
  'integration.connection_lost',
  'integration.redirect_refused',
  'integration.unreadable',
  'integration.too_large',
  'integration.other_version',
  'integration.sign_in',
  'integration.forbidden',
  'integration.refused',
]

export const remotes = defineRoute({
  method: 'get',
  path,
  name: 'listRemotes',
  summary: 'List the remotes with the result of the last contact, and where their secrets are stored',
  effect: 'reads',
  permission,
  reply: z.object({ remotes: z.array(remoteView), custody: custodyStatus }),
  errors: ['secret.custody'],
  handle: async ({ services, ...request }) => ({
    remotes: services.remotes.list(viewingActor(request)),
    custody: await services.remotes.custody(viewingActor(request)),
  }),
})

export const addRemote = defineRoute({
  method: 'post',
  path,
  name: 'addRemote',
  summary: 'Add a remote: connect with the given credentials and pin its lineage',
  effect: 'writes',
  permission,
  secrets: ['proof'],
  body: newRemote,
  status: 201,
  reply: remoteView,
  errors: ['request.invalid', 'conflict.exists', ...remoteErrors],
  handle: ({ services, body, ...request }) => services.remotes.add(viewingActor(request), body),
})

export const remote = defineRoute({
  method: 'get',
  path: `${path}/{key}`,
  name: 'getRemote',
  summary: 'Get a remote',
  effect: 'reads',
  permission,
  params,
  reply: remoteView,
  errors: ['remote.not_found'],
  handle: ({ services, params, ...request }) => services.remotes.get(viewingActor(request), params.key),
})

export const changeRemote = defineRoute({
  method: 'put',
  path: `${path}/{key}`,
  name: 'changeRemote',
  summary:
    'Update the name, URL, colour or credentials of a remote; omitted properties and the lineage are unchanged',
  effect: 'writes',
  permission,
  params,
  secrets: ['proof'],
  body: remoteChange,
  reply: remoteView,
  errors: ['request.invalid', ...remoteErrors],
  handle: ({ services, params, body, ...request }) =>
    services.remotes.change(viewingActor(request), params.key, body),
})

export const removeRemote = defineRoute({
  method: 'delete',
  path: `${path}/{key}`,
  name: 'removeRemote',
  summary: 'Remove a remote, its secret and its jobs; nothing changes in the remote org',
  effect: 'writes',
  permission,
  params,
  status: 204,
  errors: ['remote.not_found', 'secret.custody'],
  handle: async ({ services, params, ...request }) => {
    await services.remotes.remove(viewingActor(request), params.key)
    return emptyReply()
  },
})

export const contactRemote = defineRoute({
  method: 'post',
  path: `${path}/{key}/contact`,
  name: 'contactRemote',
  summary:
    'Connect to a remote now: our user on the remote, its generation, changes by others, and the state of waiting change requests',
  effect: 'writes',
  permission,
  params,
  reply: remoteView,
  errors: remoteErrors,
  handle: ({ services, params, ...request }) => services.remotes.contact(viewingActor(request), params.key),
})

export const pinRemote = defineRoute({
  method: 'post',
  path: `${path}/{key}/pin`,
  name: 'pinRemote',
  summary: 'Pin the current lineage of the remote; what was seen of the previous org is deleted',
  effect: 'writes',
  permission,
  params,
  body: z.strictObject({ lineage: z.string().min(1).max(100) }),
  reply: remoteView,
  errors: remoteErrors,
  handle: ({ services, params, body, ...request }) =>
    services.remotes.pin(viewingActor(request), params.key, body.lineage),
})

const states = z
  .string()
  .transform((text) => text.split(','))
  .refine((all) => all.every((state) => compareStates.includes(state as CompareState)), {
    error: `state is one of ${compareStates.join(', ')}, or several separated by commas.`,
  })
  .transform((all) => all as CompareState[])

export const remoteComparison = defineRoute({
  method: 'get',
  path: `${path}/{key}/comparison`,
  name: 'getComparison',
  summary:
    'Compare this org, the remote as last seen and the remote as last listed; with each change in words',
  effect: 'reads',
  permission,
  params,
  query: z.strictObject({
    local: localSource.default('active'),
    state: states.optional(),
    type: componentType.optional(),
    q: z.string().max(200).optional().meta({ description: 'Part of the component id.' }),
    drift: z
      .enum(['true', 'false'])
      .optional()
      .meta({ description: 'Only components that others changed on the remote.' }),
    ...pageQuery,
  }),
  reply: comparison,
  errors: ['remote.job_state', ...remoteErrors],
  handle: async ({ services, params: { key }, query, ...request }): Promise<Comparison> => {
    const { local, state, type, q, drift, limit, cursor } = query
    const question = JSON.stringify({ comparison: key, local, state, type, q, drift })
    const after = (decodeCursor(question, cursor) ?? null) as ComponentId | null
    const { next, ...page } = await services.remotes.comparison(viewingActor(request), key, {
      ...{ local, states: state, type, text: q, drift: drift === 'true', after, limit },
    })
    return { ...page, nextCursor: next === null ? null : encodeCursor(question, next) }
  },
})

export const remoteComparisonIndex = defineRoute({
  method: 'get',
  path: `${path}/{key}/comparison/index`,
  name: 'getComparisonIndex',
  summary: 'List the ids of all differing components by state',
  effect: 'reads',
  permission,
  params,
  query: z.strictObject({ local: localSource.default('active') }),
  reply: comparisonIndex,
  errors: ['remote.not_found', 'remote.job_state'],
  handle: ({ services, params: { key }, query, ...request }) =>
    services.remotes.comparisonIndex(viewingActor(request), key, query.local),
})

export const getRemoteTexts = defineRoute({
  method: 'get',
  path: `${path}/{key}/texts/{type}/{component}`,
  name: 'getRemoteTexts',
  summary: 'Get one component as text: here, in the remote as last seen, and in the remote as last listed',
  effect: 'reads',
  permission,
  params: params.extend({ type: componentType, component: componentKey }),
  query: z.strictObject({ local: localSource.default('active') }),
  reply: remoteTexts,
  errors: ['component.not_found', 'remote.job_state', ...remoteErrors],
  handle: ({ services, params: { key, type, component }, query, ...request }) =>
    services.remotes.texts(viewingActor(request), key, `${type}/${component}` as ComponentId, query.local),
})

export const acknowledgeRemote = defineRoute({
  method: 'post',
  path: `${path}/{key}/seen`,
  name: 'acknowledgeRemote',
  summary: 'Mark the listed state as last seen, which acknowledges its drift',
  effect: 'writes',
  permission,
  params,
  body: z.strictObject({ generation: z.int().min(0) }),
  reply: remoteView,
  errors: ['remote.not_found', 'conflict.stale_generation'],
  handle: ({ services, params, body, ...request }) =>
    services.remotes.acknowledge(viewingActor(request), params.key, body.generation),
})

export const takeFromRemote = defineRoute({
  method: 'post',
  path: `${path}/{key}/take`,
  name: 'takeFromRemote',
  summary:
    'Create drafts here with the content of the remote; components that it does not have are drafted as removals',
  effect: 'writes',
  permission,
  params,
  body: z.strictObject({ ids: z.array(componentId).min(1).max(10_000) }),
  reply: z.object({ drafts: z.array(z.string()) }),
  budget: takeBudget,
  errors: ['component.not_found', 'remote.job_state', ...remoteErrors],
  // Workers have no access to secrets.
  prepare: ({ services, params, body, ...request }) =>
    services.remotes.prefetchContents(viewingActor(request), params.key, body.ids),
  handle: async ({ services, params, body, ...request }) => ({
    drafts: await services.remotes.take(viewingActor(request), params.key, body.ids),
  }),
})

export const remoteGenerations = defineRoute({
  method: 'get',
  path: `${path}/{key}/generations`,
  name: 'listRemoteGenerations',
  summary: 'List the history of a remote, newest first, and which generations came from this org',
  effect: 'reads',
  permission,
  params,
  query: z.strictObject({ before: wholeNumber.optional(), limit: pageQuery.limit }),
  reply: remoteHistory,
  errors: remoteErrors,
  handle: ({ services, params, query: { before, limit }, ...request }) =>
    services.remotes.history(viewingActor(request), params.key, {
      limit,
      ...(before === undefined ? {} : { before }),
    }),
})

export const remoteGeneration = defineRoute({
  method: 'get',
  path: `${path}/{key}/generations/{generation}`,
  name: 'getRemoteGeneration',
  summary: 'Get a generation of a remote and its changes',
  effect: 'reads',
  permission,
  params: params.extend({ generation: wholeNumber }),
  reply: remoteGenerationChanges,
  errors: remoteErrors,
  handle: ({ services, params: { key, generation }, ...request }) =>
    services.remotes.generation(viewingActor(request), key, generation),
})

export const getRemoteDrift = defineRoute({
  method: 'get',
  path: `${path}/{key}/drift`,
  name: 'getRemoteDrift',
  summary:
    'Get the changes by others on the remote since it was last seen: generations, components and users',
  effect: 'reads',
  permission,
  params,
  reply: remoteDrift,
  errors: ['remote.job_state', ...remoteErrors],
  handle: ({ services, params, ...request }) => services.remotes.drift(viewingActor(request), params.key),
})
