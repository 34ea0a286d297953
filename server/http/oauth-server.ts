// This server as an OAuth authorisation server: what names it, and what its token endpoint accepts. Nothing here comes from
// a request.
import type { Site } from './site.ts'

export const tokenPath = '/oauth2/token'

/** RFC 7523, 2.1. */
export const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

export const tokenEndpointOf = ({ issuer }: Pick<Site, 'issuer'>): string => `${issuer}${tokenPath}`
