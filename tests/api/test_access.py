"""Signing a browser in, over HTTP."""

import pytest

from fakes.api import PORT, Api


async def signed_in(api: Api) -> str:
    link = (await api.client.post("/api/auth/link", headers=api.owner)).json()["url"]
    reply = await api.client.get(link)
    return reply.headers["set-cookie"].partition(";")[0]


async def test_the_owner_gets_a_link(api: Api) -> None:
    reply = await api.client.post("/api/auth/link", headers=api.owner)
    assert reply.json()["url"].startswith(f"http://127.0.0.1:{PORT}/enter?key=")
    assert reply.json()["expires_in_s"] == 600


async def test_nobody_else_gets_a_link(api: Api) -> None:
    reply = await api.client.post("/api/auth/link")
    assert reply.status_code == 401
    assert reply.headers["www-authenticate"] == "Bearer"


async def test_the_link_sets_a_cookie_that_scripts_and_other_sites_never_see(api: Api) -> None:
    link = (await api.client.post("/api/auth/link", headers=api.owner)).json()["url"]
    reply = await api.client.get(link)
    assert (reply.status_code, reply.headers["location"]) == (303, "/")
    cookie = reply.headers["set-cookie"]
    assert cookie.startswith(f"intaglio_{api.install.install_id}=")
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()


async def test_a_link_leads_to_the_page_that_it_names(api: Api) -> None:
    link = (await api.client.post("/api/auth/link", headers=api.owner)).json()["url"]
    reply = await api.client.get(f"{link}&next=%2Fquick-search%3Fq%3Dlarch")
    assert (reply.status_code, reply.headers["location"]) == (303, "/quick-search?q=larch")


async def test_a_link_leads_to_the_section_of_a_page(api: Api) -> None:
    link = (await api.client.post("/api/auth/link", headers=api.owner)).json()["url"]
    reply = await api.client.get(f"{link}&next=%2Fstatus%23queue")
    assert (reply.status_code, reply.headers["location"]) == (303, "/status#queue")


@pytest.mark.parametrize("query", ["", "?key=", "?key=wrong"])
async def test_a_stale_link_says_how_to_get_a_new_one(api: Api, query: str) -> None:
    reply = await api.client.get(f"/enter{query}")
    assert reply.status_code == 401
    assert "intaglio dashboard" in reply.text


async def test_a_signed_in_page_may_write(api: Api) -> None:
    headers = {"origin": f"http://127.0.0.1:{PORT}", "cookie": await signed_in(api)}
    reply = await api.client.post(
        "/api/memory/remember", json={"content": "From the page"}, headers=headers
    )
    assert reply.status_code == 200


async def test_whoami_names_the_role_of_the_caller(api: Api) -> None:
    nobody = (await api.client.get("/api/auth/whoami")).json()
    owner = (await api.client.get("/api/auth/whoami", headers=api.owner)).json()
    cookie = {"cookie": await signed_in(api)}
    browser = (await api.client.get("/api/auth/whoami", headers=cookie)).json()
    assert nobody == {"authenticated": False, "role": "local", "mode": "local", "claims": None}
    assert (owner["role"], browser["role"]) == ("owner", "browser")
