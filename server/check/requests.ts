// Checks change requests: applied ones became a generation, and digests are well-formed.
import { isDigest } from '#kernel/change/digest.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { integrityFinding } from './finding.ts'

export function requestFaults(reader: Pick<OrgReader, 'generations' | 'requests'>): Finding[] {
  const requests = reader.requests.list({ limit: Number.MAX_SAFE_INTEGER })
  return requests.flatMap(({ id, digest, generation }) => {
    const subject = `change_request/${id}`
    const digests = [digest, ...reader.requests.approvals(id).map((approval) => approval.digest)]
    return [
      ...digests
        .filter((each) => !isDigest(each))
        .map((each) => integrityFinding('integrity.request', subject, `"${each}" is not a digest.`)),
      ...(generation === null || reader.generations.get(generation) !== undefined
        ? []
        : [
            integrityFinding(
              'integrity.request',
              subject,
              `It became generation ${generation}, which does not exist.`,
            ),
          ]),
    ]
  })
}
