"""A token endpoint for signed assertions (RFC 7523) with Authlib, on loopback.

Reads {"keys": {client: JWK}, "subjects": [...], "scopes": [...]} from the first argument, and prints its port. The
access token is the JSON of the claims, so that the test sees what was accepted.
"""
import base64
import json
import os
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qsl

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from authlib.jose import JsonWebKey, JsonWebSignature, JsonWebToken
from authlib.jose.rfc8037 import register_jws_rfc8037
from authlib.oauth2.rfc6749 import AuthorizationServer, OAuth2Request
from authlib.oauth2.rfc7523 import jwt_bearer

setup = json.loads(sys.argv[1])
register_jws_rfc8037(JsonWebSignature)
jwt_bearer.jwt = JsonWebToken(["RS256", "PS256", "ES256", "EdDSA"])


class Client:
    def __init__(self, name):
        self.name = name

    def check_grant_type(self, grant_type):
        return True


class Grant(jwt_bearer.JWTBearerGrant):
    def process_assertion_claims(self, assertion):
        self.CLAIMS_OPTIONS = {
            "iss": {"essential": True},
            "sub": {"essential": True},
            "exp": {"essential": True},
            "jti": {"essential": True},
            "aud": {"essential": True, "value": server.audience},
        }
        claims = super().process_assertion_claims(assertion)
        self.request.claims = {**claims, "header": claims.header}
        return claims

    def resolve_issuer_client(self, issuer):
        return Client(issuer)

    def resolve_client_key(self, client, headers, payload):
        jwk = setup["keys"].get(client.name)
        if jwk is None or jwk.get("kid") != headers.get("kid"):
            raise jwt_bearer.InvalidClientError()
        return JsonWebKey.import_key(jwk)

    def authenticate_user(self, subject):
        return subject if subject in setup["subjects"] else None

    def has_granted_permission(self, client, user):
        return True

    def save_token(self, token):
        token["access_token"] = base64.urlsafe_b64encode(json.dumps(self.request.claims).encode()).decode()


class Server(AuthorizationServer):
    audience = None

    def create_oauth2_request(self, request):
        return request

    def handle_response(self, status, body, headers):
        return status, json.dumps(body if isinstance(body, dict) else dict(body)), headers

    def send_signal(self, name, *args, **kwargs):
        pass


server = Server(scopes_supported=setup["scopes"])
server.register_grant(Grant)
server.register_token_generator(
    "default", lambda **_: {"token_type": "Bearer", "access_token": "", "expires_in": 600}
)


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        request = OAuth2Request("POST", server.audience, dict(parse_qsl(body)), dict(self.headers))
        status, text, headers = server.create_token_response(request)
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *args):
        pass


http = HTTPServer(("127.0.0.1", 0), Handler)
server.audience = f"http://127.0.0.1:{http.server_port}/token"
print(http.server_port, flush=True)
http.serve_forever()
