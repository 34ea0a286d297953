// Jobs of a remote: started with 202, reported by events, listed, resumed, continued.
import { z } from 'zod'
import { mebibyte } from '../budget.ts'
import { defineRoute } from '../route.ts'
import { viewingActor } from '../views/viewing-actor.ts'
import { civilDate, componentId } from '../schemas/common.ts'
import { localSource, remoteJob, remoteKey } from '../schemas/remotes.ts'

const path = '/setup/v3/remotes/{key}'
const params = z.strictObject({ key: remoteKey })
const jobParams = params.extend({ id: z.string().max(80) })
const permission = 'integration.manage_credentials'
const rationale = z.string().max(10_000).optional()
const confirm = z
  .string()
  .max(500)
  .optional()
  .meta({ description: 'The typed name of the remote org; required if it is production.' })

const startErrors = ['remote.not_found', 'remote.busy', 'secret.absent'] as const
const resumeErrors = [...startErrors, 'remote.no_such_job', 'remote.job_state'] as const

export const compareWithRemote = defineRoute({
  method: 'post',
  path: `${path}/compare`,
  name: 'compareWithRemote',
  summary: 'Read the current state of the remote, for a comparison',
  effect: 'writes',
  permission,
  params,
  status: 202,
  reply: remoteJob,
  errors: startErrors,
  handle: ({ services, params, ...request }) => services.remotes.compare(viewingActor(request), params.key),
})

export const retrieveFromRemote = defineRoute({
  method: 'post',
  path: `${path}/retrieve`,
  name: 'retrieveFromRemote',
  summary: 'Fetch all missing components of the remote, and mark its state as last seen',
  effect: 'writes',
  permission,
  params,
  status: 202,
  reply: remoteJob,
  errors: startErrors,
  handle: ({ services, params, ...request }) => services.remotes.retrieve(viewingActor(request), params.key),
})

export const pushToRemote = defineRoute({
  method: 'post',
  path: `${path}/push`,
  name: 'pushToRemote',
  summary:
    'Push: validate and apply on the remote, or create a change request if the remote requires approvals',
  effect: 'writes',
  permission,
  params,
  body: z.strictObject({
    ids: z
      .array(componentId)
      .max(1_000_000)
      .optional()
      .meta({ description: 'The components to push; default all that changed only here.' }),
    except: z
      .array(componentId)
      .optional()
      .meta({ description: 'Components to exclude from the default; cannot be combined with "ids".' }),
    also: z
      .array(componentId)
      .optional()
      .meta({ description: 'Components to add to the default; cannot be combined with "ids".' }),
    local: localSource.optional(),
    review: z
      .boolean()
      .optional()
      .meta({ description: 'Whether to stop after the remote has validated it.' }),
    rationale,
    title: z.string().max(200).optional(),
    applyOn: civilDate.optional(),
    confirm,
  }),
  budget: { bytes: 2 * mebibyte, elements: 20_000 },
  status: 202,
  reply: remoteJob,
  errors: [...startErrors, 'remote.not_confirmed'],
  handle: ({ services, params, body, ...request }) =>
    services.remotes.push(viewingActor(request), params.key, body),
})

export const rollBackRemote = defineRoute({
  method: 'post',
  path: `${path}/rollback`,
  name: 'rollBackRemote',
  summary: 'Roll the remote back to the content of one of its older generations',
  effect: 'writes',
  permission,
  params,
  body: z.strictObject({
    generation: z.int().min(0),
    review: z
      .boolean()
      .optional()
      .meta({ description: 'Whether to stop after the remote has validated it.' }),
    rationale,
    confirm,
  }),
  status: 202,
  reply: remoteJob,
  errors: [...startErrors, 'remote.not_confirmed'],
  handle: ({ services, params, body, ...request }) =>
    services.remotes.rollback(viewingActor(request), params.key, body),
})

export const remoteJobs = defineRoute({
  method: 'get',
  path: `${path}/jobs`,
  name: 'listRemoteJobs',
  summary: 'List the jobs of a remote, newest first',
  effect: 'reads',
  permission,
  params,
  reply: z.object({ jobs: z.array(remoteJob) }),
  errors: ['remote.not_found'],
  handle: ({ services, params, ...request }) => ({
    jobs: services.remotes.jobs(viewingActor(request), params.key, 100),
  }),
})

export const getRemoteJob = defineRoute({
  method: 'get',
  path: `${path}/jobs/{id}`,
  name: 'getRemoteJob',
  summary: 'Get the progress of a job, the response of the remote and the result',
  effect: 'reads',
  permission,
  params: jobParams,
  reply: remoteJob,
  errors: ['remote.not_found', 'remote.no_such_job'],
  handle: ({ services, params: { key, id }, ...request }) =>
    services.remotes.job(viewingActor(request), key, id),
})

export const proceedWithJob = defineRoute({
  method: 'post',
  path: `${path}/jobs/{id}/proceed`,
  name: 'proceedWithRemoteJob',
  summary: 'Continue a reviewed push, or apply an approved change request on the remote',
  effect: 'writes',
  permission,
  params: jobParams,
  body: z.strictObject({ confirm, rationale }),
  status: 202,
  reply: remoteJob,
  errors: [...resumeErrors, 'remote.not_confirmed'],
  handle: ({ services, params: { key, id }, body, ...request }) =>
    services.remotes.proceed(viewingActor(request), key, id, body),
})

export const resumeJob = defineRoute({
  method: 'post',
  path: `${path}/jobs/{id}/resume`,
  name: 'resumeRemoteJob',
  summary: 'Resume an interrupted job; checks what was already sent before sending anything again',
  effect: 'writes',
  permission,
  params: jobParams,
  status: 202,
  reply: remoteJob,
  errors: resumeErrors,
  handle: ({ services, params: { key, id }, ...request }) =>
    services.remotes.resume(viewingActor(request), key, id),
})

export const cancelJob = defineRoute({
  method: 'post',
  path: `${path}/jobs/{id}/cancel`,
  name: 'cancelRemoteJob',
  summary:
    'Cancel a job before anything has been applied; a waiting change request on the remote is withdrawn',
  effect: 'writes',
  permission,
  params: jobParams,
  reply: remoteJob,
  errors: [
    'remote.not_found',
    'remote.no_such_job',
    'remote.job_state',
    'integration.unreachable',
    'integration.refused',
  ],
  handle: ({ services, params: { key, id }, ...request }) =>
    services.remotes.cancel(viewingActor(request), key, id),
})
