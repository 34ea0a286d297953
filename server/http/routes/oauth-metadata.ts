// The metadata of the token endpoint (RFC 8414), from which clients configure themselves.
import { z } from 'zod'
import { signingAlgorithms } from '#kernel/components/integration-client/signing-key.ts'
import { jwtBearer, tokenEndpointOf } from '../oauth-server.ts'
import { definePublicRoute } from '../route.ts'

export const oauthMetadata = definePublicRoute({
  method: 'get',
  path: '/.well-known/oauth-authorization-server',
  name: 'getOAuthMetadata',
  summary: 'Get the issuer, the token endpoint and what it accepts (RFC 8414)',
  reply: z.object({
    issuer: z.string().meta({
      description:
        'The public URL of this server, or its loopback address. The "aud" of an assertion is this or the token endpoint.',
    }),
    token_endpoint: z.string(),
    grant_types_supported: z.array(z.string()),
    token_endpoint_auth_methods_supported: z.array(z.string()),
    token_endpoint_auth_signing_alg_values_supported: z.array(z.string()),
    response_types_supported: z.array(z.string()),
  }),
  errors: [],
  handle: ({ services: { site } }) => ({
    issuer: site.issuer,
    token_endpoint: tokenEndpointOf(site),
    grant_types_supported: ['client_credentials', jwtBearer],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: [...signingAlgorithms],
    // Without an authorisation endpoint, the list is empty; the standard requires it.
    response_types_supported: [],
  }),
})
