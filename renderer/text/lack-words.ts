// A sentence about the permissions that a change needs and that the user who applies it does not have.

/** @param author the name of the author of the change request; null if it is the user who reads this */
export function lackWords(permissions: string, author: string | null): string {
  return author === null
    ? `You lack ${permissions}, so you cannot apply this change.`
    : `${author} lacks ${permissions}. A change request is applied with the permissions of its author.`
}

/** Above a change request that waits. */
export function requestLackWords(permissions: readonly string[], author: string | null): string {
  const who = author === null ? 'You lack' : `${author} lacks`
  const whose = author === null ? 'your permissions' : 'the permissions of its author'
  return `${who} ${permissions.join(', ')}. The request is applied with ${whose}, so nobody can apply it until a user with access.manage grants what is missing.`
}
