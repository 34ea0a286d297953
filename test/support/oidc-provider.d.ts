// The part of oidc-provider that the tests use; the package has no types.
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'
  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>)
    callback(): RequestListener
    on(event: string, listener: (...args: unknown[]) => void): this
    readonly Grant: { find(id: string): Promise<{ destroy(): Promise<void> } | undefined> }
  }
}
