// The audit is in the org and the secrets are not, so they cannot be written together. A row of the vault keeps the facts
// that the audit does not contain yet: none is lost if the process ends in between, and none is written twice.
import type { Actor, AuditFact } from '../access/index.ts'
import type { OrgReader } from '../ports/org-store.ts'
import type { SecretOwner } from '../ports/vault.ts'
import type { CredentialDeps } from './deps.ts'
import { contentOf, parseContent, type AuditNote, type SecretContent } from './secret-content.ts'

export function addNote(
  { actor, correlationId, operatorName }: Actor,
  at: string,
  fact: AuditFact,
  content: SecretContent,
): SecretContent {
  const note: AuditNote = { ...fact, at, by: { actor, correlationId, operatorName } }
  return { ...content, unaudited: [...content.unaudited, note] }
}

/** Writes the facts that a row keeps to the audit, and removes them from the row. */
export async function settleNotes(deps: CredentialDeps, owner: SecretOwner): Promise<void> {
  const { vault, rows, write, audit } = deps
  const notes = parseContent((await rows.get(owner))?.content ?? null).unaudited
  if (notes.length === 0) return
  await write((transactor) => {
    for (const { at, by, ...fact } of notes)
      if (!isInAudit(transactor, { at, by, ...fact })) audit(transactor, by, fact, at)
  })
  await vault.update(owner, (stored) => {
    const content = parseContent(stored)
    const unaudited = content.unaudited.filter((note) => !notes.some((written) => isSame(note, written)))
    return { after: contentOf({ ...content, unaudited }), result: undefined }
  })
}

const isSame = (a: AuditNote, b: AuditNote): boolean =>
  a.at === b.at && a.kind === b.kind && a.by.correlationId === b.by.correlationId

function isInAudit(reader: Pick<OrgReader, 'audit'>, note: AuditNote): boolean {
  const { component, kind, at } = note
  return reader.audit
    .list({ component, kind, since: at })
    .some((row) => row.at === at && row.correlationId === note.by.correlationId)
}
