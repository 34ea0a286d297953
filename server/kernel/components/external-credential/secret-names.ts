// The names of a scheme's secrets in the credential store; a component never contains their values.
import type { ExternalCredentialBody } from './body.ts'

/** Returns the slots of one principal. */
export function secretNames(body: ExternalCredentialBody): string[] {
  switch (body.scheme) {
    case 'oauth2_client_credentials':
    case 'oauth2_authorization_code':
      return ['clientId', 'clientSecret']
    case 'oauth2_jwt_bearer':
      return ['clientId', 'privateKey']
    case 'mtls':
      return ['certificate', 'privateKey']
    case 'aws_sigv4':
      return ['accessKeyId', 'secretAccessKey']
    case 'api_key':
      return ['key']
    case 'basic':
      return ['username', 'password']
    case 'custom':
      return body.parameters.map((parameter) => parameter.name)
  }
}
