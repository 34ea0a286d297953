// The inputs for a remote, before they are sent.
import type { RemoteColour, RemoteProof, RemoteProofKind } from '#wire/remotes.ts'

export interface ProofInput {
  kind: RemoteProofKind
  /** The user or the client. */
  name: string
  secret: string
}

export interface RemoteInput {
  name: string
  key: string
  url: string
  colour: RemoteColour
  proof: ProofInput
}

/** Undefined if no secret was typed. */
export function proofOf({ kind, name, secret }: ProofInput): RemoteProof | undefined {
  if (secret === '') return undefined
  switch (kind) {
    case 'password':
      return { kind, user: name.trim(), password: secret }
    case 'client':
      return { kind, client: name.trim(), secret }
    case 'token':
      return { kind, token: secret.trim() }
  }
}
