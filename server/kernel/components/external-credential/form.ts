// Form of an external credential; the scheme decides its parameters.
import type { FormDescriptor } from '../form.ts'
import { oauthFields } from './oauth-fields.ts'

const whenScheme = (...schemes: string[]) => ({ path: 'scheme', in: schemes })
const places = [
  { value: 'header', label: 'Header' },
  { value: 'query', label: 'Query parameter' },
]

export const externalCredentialForm: FormDescriptor = {
  sections: [
    {
      title: 'Scheme',
      fields: [
        {
          path: 'scheme',
          label: 'Scheme',
          help: 'How calls authenticate.',
          widget: 'select',
          required: true,
          options: [
            { value: 'oauth2_client_credentials', label: 'OAuth 2: client credentials' },
            {
              value: 'oauth2_authorization_code',
              label: 'OAuth 2: authorisation code',
              help: 'Each user gives consent.',
            },
            { value: 'oauth2_jwt_bearer', label: 'OAuth 2: signed assertion' },
            { value: 'mtls', label: 'Client certificate' },
            { value: 'aws_sigv4', label: 'AWS signature, version 4' },
            { value: 'api_key', label: 'API key' },
            { value: 'basic', label: 'User name and password' },
            { value: 'custom', label: 'Custom headers and parameters' },
          ],
        },
        ...oauthFields,
        {
          path: 'region',
          label: 'Region',
          help: 'For example eu-central-1.',
          widget: 'text',
          required: true,
          when: whenScheme('aws_sigv4'),
        },
        {
          path: 'service',
          label: 'Service',
          help: 'For example execute-api.',
          widget: 'text',
          required: true,
          when: whenScheme('aws_sigv4'),
        },
        {
          path: 'in',
          label: 'Sent as',
          help: 'Where the key is sent.',
          widget: 'select',
          options: places,
          when: whenScheme('api_key'),
        },
        {
          path: 'name',
          label: 'Name',
          help: 'The name of the header or parameter.',
          widget: 'text',
          placeholder: 'X-API-Key',
          when: whenScheme('api_key'),
        },
        {
          path: 'prefix',
          label: 'Prefix',
          help: 'Text before the key, including the space.',
          widget: 'text',
          when: whenScheme('api_key'),
        },
        {
          path: 'parameters',
          label: 'Headers and parameters',
          help: 'The value of each comes from the credential store, under its name.',
          widget: 'grid',
          required: true,
          when: whenScheme('custom'),
          fields: [
            {
              path: 'in',
              label: 'Sent as',
              help: 'Where the value is sent.',
              widget: 'select',
              options: places,
            },
            {
              path: 'name',
              label: 'Name',
              help: 'The name of the header or parameter, and of the value in the store.',
              widget: 'text',
              required: true,
            },
          ],
        },
      ],
    },
    {
      title: 'Principals',
      fields: [
        {
          path: 'principals',
          label: 'Principals',
          help: 'The identities that calls can use. Their secrets are written to the store and cannot be read back.',
          widget: 'grid',
          required: true,
          fields: [
            { path: 'key', label: 'Key', help: 'The name of the identity.', widget: 'text', required: true },
            {
              path: 'mode',
              label: 'Mode',
              help: 'One identity for all users, or one for each user.',
              widget: 'select',
              options: [
                { value: 'named', label: 'Shared' },
                { value: 'per_user', label: 'One for each user' },
              ],
            },
            {
              path: 'grantedTo',
              label: 'Granted to',
              help: 'Permission sets whose holders can use this identity.',
              widget: 'references',
              refTypes: ['permission_set'],
            },
          ],
        },
      ],
    },
  ],
}
