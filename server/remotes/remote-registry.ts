// Adds, changes, contacts, pins and removes remotes; the secret goes into custody.
import { explainKey } from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { NewRemote, RemoteChange, RemoteProof } from '#wire/remotes.ts'
import { recordAudit, type Actor } from '../access/index.ts'
import type { RemoteRow } from '../ports/remotes.ts'
import { facts as factsAnswer, type RemoteFacts } from './response-schemas.ts'
import { sendRequest } from './remote-request.ts'
import { requireRemote } from './comparison.ts'
import { recordContact, contactRemote, type ContactResult } from './contact.ts'
import type { RemoteJobs } from './jobs.ts'
import { deleteOrphanedParts } from './listing.ts'
import { deleteUnusedContents } from './refresh-listing.ts'
import type { RemotesDeps } from './deps.ts'
import type { StoredProof, ProofStore } from './proof-store.ts'

export interface RemoteRegistry {
  /** The first contact pins the lineage. @throws AlmanacError `conflict.exists`, `request.invalid`, `secret.custody`, integration. */
  add(by: Actor, remote: NewRemote): Promise<RemoteRow>
  /** The lineage stays pinned, even under another URL. */
  change(by: Actor, key: string, change: RemoteChange): Promise<RemoteRow>
  remove(by: Actor, key: string): Promise<void>
  /** @throws AlmanacError `conflict.lineage_changed`, class integration; the remote stores it. */
  contact(key: string): Promise<ContactResult>
  /** `lineage` is the one that the user was shown. The last seen state is deleted. */
  pin(by: Actor, key: string, lineage: string): Promise<RemoteRow>
}

const maxNameLength = 80

export function createRemoteRegistry(
  deps: RemotesDeps,
  proofs: ProofStore,
  jobs: RemoteJobs,
): RemoteRegistry {
  const { store, write, clock, custody } = deps

  /** Identifies the remote with credentials that are not stored yet. */
  const identify = async (row: RemoteRow, { proof, secret }: StoredProof): Promise<RemoteFacts> => {
    const token =
      proof.kind === 'client' ? await proofs.bearerTokenFor(row, secret, proof.principal ?? '') : secret
    return sendRequest(deps.outbound, row, {
      method: 'GET',
      path: '/setup/v3/org',
      headers: { authorization: `Bearer ${token}` },
      responseSchema: factsAnswer,
      limits: deps.options.limits,
    })
  }
  const requireCustody = async (): Promise<void> => {
    const status = await custody.status()
    if (!status.kept) throw new AlmanacError('secret.custody', status.reason)
  }
  const saveWithAudit = (
    by: Actor,
    kind: string,
    before: RemoteRow | undefined,
    after: RemoteRow | undefined,
  ): Promise<void> =>
    write((transactor) => {
      if (after !== undefined) transactor.remotes.put(after)
      recordAudit(transactor, by, clock.now(), {
        component: `remote/${(after ?? before)!.key}`,
        kind,
        before: auditViewOf(before),
        after: auditViewOf(after),
      })
    })

  return {
    add: async (by, { key, name, url, colour, proof }) => {
      const wrong = explainKey('app', key)
      if (wrong !== null) throw new AlmanacError('request.invalid', wrong)
      if (store.read((reader) => reader.remotes.get(key)) !== undefined)
        throw new AlmanacError(
          'conflict.exists',
          `The remote "${key}" already exists. Choose a different key.`,
        )
      const draft: RemoteRow = {
        key,
        name: parseRemoteName(name),
        url: parseRemoteUrl(url),
        colour,
        proof: { kind: proof.kind, principal: null, expiresAt: null, custody: custody.kind },
        org: { name: '', environment: '', lineage: '' },
        addedAt: clock.now(),
        contact: { state: 'never' },
      }
      // Before a password is used.
      await requireCustody()
      const storedProof = await proofs.exchangeProof(draft, proof)
      const facts = await identify(draft, storedProof)
      const row = { ...draft, ...provedBy(draft, storedProof, facts), org: orgOf(facts) }
      await proofs.saveSecret(key, storedProof.secret)
      await saveWithAudit(by, 'remote.added', undefined, row)
      await reachAgain(key)
      return requireRemote(deps, key)
    },
    change: async (by, key, { name, url, colour, proof }) => {
      const before = requireRemote(deps, key)
      const plain: RemoteRow = {
        ...before,
        ...(name === undefined ? {} : { name: parseRemoteName(name) }),
        ...(colour === undefined ? {} : { colour }),
        ...(url === undefined ? {} : { url: parseRemoteUrl(url) }),
      }
      let row = plain
      if (proof !== undefined) {
        await requireCustody()
        const storedProof = await proofs.exchangeProof(plain, proof)
        const facts = await identify(plain, storedProof)
        requireSameOrg(before, facts)
        row = { ...plain, ...provedBy(plain, storedProof, facts) }
        await proofs.saveSecret(key, storedProof.secret)
      } else if (plain.url !== before.url) requireSameHost(before, plain)
      await saveWithAudit(by, 'remote.changed', before, row)
      jobs.emit({ remote: key })
      if (proof !== undefined || plain.url !== before.url) await reachAgain(key)
      return requireRemote(deps, key)
    },
    remove: async (by, key) => {
      const row = requireRemote(deps, key)
      // A token that was created for us is also ended there, if the remote can be reached.
      if (row.proof.kind === 'password')
        await jobs
          .client(key)
          .signOut()
          .catch(() => undefined)
      await proofs.deleteSecret(key)
      await write((transactor) => {
        transactor.remotes.delete(key)
        recordAudit(transactor, by, clock.now(), {
          component: `remote/${key}`,
          kind: 'remote.removed',
          before: auditViewOf(row),
          after: null,
        })
      })
      await deleteUnusedContents(deps)
      jobs.emit({ remote: key })
    },
    contact: (key) => reachNow(key),
    pin: async (by, key, lineage) => {
      const before = requireRemote(deps, key)
      const facts = await jobs.client(key).facts()
      if (facts.lineage !== lineage)
        throw new AlmanacError(
          'conflict.lineage_changed',
          `${before.name} is now ${facts.name} (${facts.environment}) with lineage ${facts.lineage}, but you were shown ${lineage}. Connect again before you pin it.`,
          { details: [{ remote: key, url: before.url, pinned: before.org.lineage, found: facts.lineage }] },
        )
      const row: RemoteRow = { ...before, org: orgOf(facts), contact: { state: 'never' } }
      // Another org's listing does not apply to this one.
      if (before.org.lineage !== lineage) {
        await write((transactor) => transactor.remotes.deleteListings(key))
        await deleteOrphanedParts(deps)
      }
      await saveWithAudit(by, 'remote.pinned', before, row)
      await reachAgain(key)
      return requireRemote(deps, key)
    },
  }

  async function reachNow(key: string): Promise<ContactResult> {
    const reached = recordContact(deps, key, contactRemote(deps, jobs.client(key)))
    return reached.finally(() => jobs.emit({ remote: key }))
  }

  /** The remote's row contains the outcome. */
  async function reachAgain(key: string): Promise<void> {
    await reachNow(key).catch(() => undefined)
  }
}

function provedBy(row: RemoteRow, { proof }: StoredProof, { me }: RemoteFacts): Pick<RemoteRow, 'proof'> {
  return { proof: { ...proof, principal: proof.principal ?? me.key, custody: row.proof.custody } }
}

function orgOf({ name, environment, lineage }: RemoteFacts): RemoteRow['org'] {
  return { name, environment, lineage }
}

/** New credentials are only valid for the pinned org. */
function requireSameOrg({ name, org }: RemoteRow, facts: RemoteFacts): void {
  if (facts.lineage === org.lineage) return
  throw new AlmanacError(
    'conflict.lineage_changed',
    `${name} was ${org.name} (${org.environment}) and is now ${facts.name} (${facts.environment}). If that is intended, pin it again first. Nothing was saved.`,
    {
      details: [
        { pinned: org.lineage, found: facts.lineage, name: facts.name, environment: facts.environment },
      ],
    },
  )
}

/** A secret that was entered for one URL is not sent to another one without confirmation. */
function requireSameHost(before: RemoteRow, after: RemoteRow): void {
  if (new URL(before.url).hostname === new URL(after.url).hostname) return
  throw new AlmanacError(
    'request.invalid',
    `The secret of ${before.name} was entered for ${before.url}. Enter it again for ${after.url}, so that it is not sent elsewhere by mistake.`,
  )
}

function parseRemoteName(name: string): string {
  const trimmed = name.trim()
  if (trimmed !== '' && trimmed.length <= maxNameLength) return trimmed
  throw new AlmanacError(
    'request.invalid',
    `The name of a remote must have 1 to ${maxNameLength} characters.`,
  )
}

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** The origin of a server; over plain HTTP only on this machine. @throws AlmanacError request.invalid */
function parseRemoteUrl(text: string): string {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new AlmanacError(
      'request.invalid',
      `"${text}" is not a valid URL. Write it as https://almanac.example.org.`,
    )
  }
  const wrong = reasonAgainst(url)
  if (wrong !== null) throw new AlmanacError('request.invalid', `${text}: ${wrong}`)
  return url.origin
}

function reasonAgainst(url: URL): string | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'remotes are only reached over https.'
  if (url.username !== '' || url.password !== '')
    return 'remove user and password from the URL; enter them in their own fields.'
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    return `use only the URL of the server, ${url.origin}.`
  if (url.protocol === 'http:' && !loopback.test(url.hostname))
    return 'over plain http, others could read the secret in transit. Use https.'
  return null
}

function auditViewOf(row: RemoteRow | undefined): null | {
  name: string
  url: string
  proof: { kind: RemoteProof['kind']; principal: string | null }
  org: RemoteRow['org']
} {
  if (row === undefined) return null
  const { name, url, proof, org } = row
  return { name, url, proof: { kind: proof.kind, principal: proof.principal }, org: { ...org } }
}
