// almanac push: applies a directory to a remote, which validates it first. Without a directory, pushes the active or
// drafted components that differ from the remote.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { isAddress } from '../address.ts'
import { printApplyResult } from '../apply-text.ts'
import { UsageError } from '../fail.ts'
import { waitForJob } from '../wait-for-job.ts'
import type { AppliedList, ApplyOptions, ChangeListInput } from '../org-api.ts'
import { hasFlag, listOption, textOption } from '../options.ts'
import { checkPin } from '../remote-pins.ts'
import { requireConfirmation } from '../../remotes/index.ts'
import { openRemoteOrg, type RemoteOrg } from '../remote-org.ts'
import { jobText } from '../remote-text.ts'
import { requestStatusText } from '../requests-text.ts'
import type { Call, Run } from '../command-definition.ts'

export const run: Run = async (call) => {
  const remote = textOption(call, 'remote')
  if (remote === undefined) throw new UsageError('Specify the remote: --remote <key or url>.')
  const [dir] = call.args
  if (dir === undefined) return pushOrg(call, remote)
  const org = await openRemote(call, remote)
  const { name, environment } = await org.facts()
  call.terminal.progress(`Pushing to ${name} (${environment}) …`)
  await pushList(call, org, { kind: 'directory', dir, prune: hasFlag(call, 'prune') })
}

/** By URL, with the user's own token and a pin on this machine; or by key, as stored in this org. */
async function openRemote(call: Call, remote: string): Promise<RemoteOrg> {
  if (isAddress(remote)) {
    const org = openRemoteOrg(remote, textOption(call, 'token') ?? process.env['ALMANAC_TOKEN'])
    const facts = await org.facts()
    checkPin(remote, facts.lineage, hasFlag(call, 'pin'))
    requireConfirmation(facts, remote, textOption(call, 'confirm'))
    return org
  }
  if (hasFlag(call, 'pin'))
    throw new UsageError(`--pin is for a URL. Run "almanac remote pin ${remote}" to pin a remote again.`)
  const { engines, by } = await call.localOrg()
  const { url, token } = await engines.remotes.connection(by, remote, textOption(call, 'confirm'))
  return openRemoteOrg(url, token)
}

async function pushList(call: Call, org: RemoteOrg, list: ChangeListInput): Promise<void> {
  const { terminal } = call
  const rationale = textOption(call, 'rationale')
  const terms: ApplyOptions = rationale === undefined ? {} : { rationale }
  try {
    await printApplyResult(await applyOrRecover(org, list, terms), terminal, hasFlag(call, 'all'))
  } catch (error) {
    if (!(error instanceof AlmanacError) || error.code !== 'deploy.approval_required') throw error
    const request = await org.requests.create(list, {
      ...terms,
      title: textOption(call, 'title') ?? rationale ?? '',
    })
    await terminal.data({ request })
    terminal.print(() => requestStatusText(request, terminal))
  }
}

/** If the connection is lost after the list was sent, looks up what the remote did by the correlation id. */
async function applyOrRecover(
  org: RemoteOrg,
  list: ChangeListInput,
  terms: ApplyOptions,
): Promise<AppliedList> {
  try {
    return await org.apply(list, terms)
  } catch (error) {
    if (!(error instanceof AlmanacError) || !error.code.startsWith('integration.')) throw error
    const done = await generationOf(org).catch(() => {
      throw new AlmanacError(
        'integration.outcome_unknown',
        `${error.message} It is not known whether the changes were applied. Push again; if they were, nothing changes.`,
        { cause: error },
      )
    })
    if (done === undefined) throw error
    const changes = await org.diff(done.generation - 1, done.generation)
    return {
      generation: done.generation,
      unchanged: false,
      changes,
      counts: done.counts,
      findings: [],
      findingsTotal: 0,
      budget: null,
      ms: 0,
    }
  }
}

async function generationOf(org: RemoteOrg) {
  const { generations } = await org.generations(50)
  return generations.find(({ correlationId }) => correlationId === org.correlationId)
}

/** Pushes what differs between this org and the remote. */
async function pushOrg(call: Call, remote: string): Promise<void> {
  if (isAddress(remote))
    throw new UsageError(
      'Specify the directory to push to that URL. To push without a directory, name a remote by its key.',
    )
  const { terminal } = call
  const { engines, by } = await call.localOrg()
  const ids = listOption(call, 'pick')
  const [rationale, title, confirm] = [
    textOption(call, 'rationale'),
    textOption(call, 'title'),
    textOption(call, 'confirm'),
  ]
  const started = await engines.remotes.push(by, remote, {
    local: hasFlag(call, 'drafts') ? 'drafts' : 'active',
    ...(ids.length === 0 ? {} : { ids }),
    ...(rationale === undefined ? {} : { rationale }),
    ...(title === undefined ? {} : { title }),
    ...(confirm === undefined ? {} : { confirm }),
  })
  const job = await waitForJob(call, engines.remotes, started)
  await terminal.data(job)
  terminal.print(() => jobText(job, terminal))
}
