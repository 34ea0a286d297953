// The effect of a request to the server, in words; reads are not listed.
const words: readonly (readonly [method: string, path: RegExp, words: string])[] = [
  ['PUT', /^\/setup\/v3\/drafts\/([^/]+)\/([^/]+)$/, 'Draft of $1/$2 saved'],
  ['DELETE', /^\/setup\/v3\/drafts\/([^/]+)\/([^/]+)$/, 'Draft of $1/$2 discarded'],
  ['PUT', /^\/setup\/v3\/drafts$/, 'Drafts saved'],
  ['POST', /^\/setup\/v3\/drafts$/, 'Drafts saved'],
  ['POST', /^\/metadata\/v3\/apply$/, 'Changes applied'],
  ['POST', /^\/metadata\/v3\/rollback$/, 'Restored'],
  ['POST', /^\/metadata\/v3\/rename$/, 'Rename saved as drafts'],
  ['POST', /^\/setup\/v3\/repair$/, 'Repair saved as drafts'],
  ['POST', /^\/setup\/v3\/import$/, 'Table imported as drafts'],
  ['POST', /^\/setup\/v3\/sets\/([^/]+)\/export$/, '$1 exported'],
  ['POST', /^\/setup\/v3\/evaluate$/, 'Expression evaluated'],
  ['POST', /^\/setup\/v3\/evaluate\/replay$/, 'Vintage replayed'],
  ['POST', /^\/setup\/v3\/evaluate\/recompute$/, 'Recomputed'],
  ['POST', /^\/setup\/v3\/evaluate\/evidence$/, 'Evidence exported'],
  ['POST', /^\/setup\/v3\/results\/([^/]+)\/rebind$/, 'Stored result rebound'],
  ['POST', /^\/setup\/v3\/results\/([^/]+)\/archive$/, 'Stored result archived'],
  ['POST', /^\/metadata\/v3\/change-requests$/, 'Change request submitted'],
  ['PUT', /^\/metadata\/v3\/change-requests\/([^/]+)$/, 'Change request edited'],
  ['POST', /^\/metadata\/v3\/change-requests\/[^/]+\/comments$/, 'Change request commented on'],
  ['POST', /^\/metadata\/v3\/change-requests\/[^/]+\/(\w+)$/, 'Change request: $1'],
  ['POST', /^\/setup\/v3\/remotes$/, 'Remote added'],
  ['PUT', /^\/setup\/v3\/remotes\/([^/]+)$/, 'Remote $1 changed'],
  ['DELETE', /^\/setup\/v3\/remotes\/([^/]+)$/, 'Remote $1 removed'],
  ['POST', /^\/setup\/v3\/remotes\/([^/]+)\/jobs\/[^/]+\/(\w+)$/, 'Remote $1: job $2'],
  ['POST', /^\/setup\/v3\/remotes\/([^/]+)\/(\w+)$/, 'Remote $1: $2'],
  ['POST', /^\/data\/v3\/jobs\/ingest$/, 'Bulk job created'],
  ['POST', /^\/data\/v3\/jobs\/ingest\/[^/]+\/close$/, 'Bulk job closed'],
  ['POST', /^\/data\/v3\/jobs\/ingest\/[^/]+\/abort$/, 'Bulk job aborted'],
  ['POST', /^\/data\/v3\/(?!query$)([^/]+)$/, 'Record of $1 added'],
  ['PATCH', /^\/data\/v3\/([^/]+)\/[^/]+$/, 'Record of $1 saved'],
  ['DELETE', /^\/data\/v3\/([^/]+)\/[^/]+$/, 'Record of $1 deleted'],
  ['POST', /^\/data\/v3\/([^/]+)\/[^/]+\/recompute$/, 'Record of $1 recomputed'],
  ['POST', /^\/data\/v3\/([^/]+)\/[^/]+\/values\/([^/]+)\/archive$/, 'Value of $1.$2 archived'],
  ['PUT', /^\/setup\/v3\/approvals$/, 'Required approvals set'],
  ['POST', /^\/setup\/v3\/tokens$/, 'Token created'],
  ['DELETE', /^\/setup\/v3\/sign-ins\/([^/]+)$/, 'Sign-in ended'],
  ['PUT', /^\/setup\/v3\/password$/, 'Password changed'],
]

/** Null for a request that changes nothing of interest to the user. */
export function outputWords(method: string, path: string): string | null {
  for (const [of, pattern, template] of words) {
    const match = of === method ? pattern.exec(path) : null
    if (match !== null)
      return template.replaceAll(/\$(\d)/g, (_, at: string) => decodeURIComponent(match[Number(at)] ?? ''))
  }
  return null
}
