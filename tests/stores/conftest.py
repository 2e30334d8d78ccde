"""A real S3 server on the loopback address (moto), with credentials in the environment."""

from __future__ import annotations

import io
import logging
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

KEY, SECRET = "AKIAINTHEENVIRONMENT", "secret-in-the-environment"


class Bucket:
    """A bucket called "data"."""

    def __init__(self, client: Any, endpoint: str) -> None:
        self.client, self.endpoint = client, endpoint

    def put(self, key: str, content: bytes | pl.DataFrame) -> str:
        """Store bytes, or a frame as Parquet; the address."""
        if isinstance(content, pl.DataFrame):
            file = io.BytesIO()
            content.write_parquet(file)
            content = file.getvalue()
        self.client.put_object(Bucket="data", Key=key, Body=content)
        return f"s3://data/{key}"

    def signed(self, key: str) -> str:
        """A presigned address of an object."""
        found = self.client.generate_presigned_url("get_object", Params={"Bucket": "data", "Key": key})
        return str(found)

    def clear(self) -> None:
        """Remove all objects."""
        for each in self.client.list_objects_v2(Bucket="data").get("Contents", ()):
            self.client.delete_object(Bucket="data", Key=each["Key"])


@pytest.fixture(scope="session")
def endpoint() -> Iterator[str]:
    """The address of the server."""
    pytest.importorskip("moto")
    pytest.importorskip("s3fs")
    pytest.importorskip("flask")
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    """An empty bucket; credentials and endpoint are in the environment."""
    for name, value in {
        "AWS_ACCESS_KEY_ID": KEY,
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_SHARED_CREDENTIALS_FILE": "/nonexistent",
        "AWS_CONFIG_FILE": "/nonexistent",
    }.items():
        monkeypatch.setenv(name, value)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import boto3

        client = boto3.client("s3")
        client.create_bucket(Bucket="data")
    found = Bucket(client, endpoint)
    yield found
    found.clear()


@pytest.fixture(autouse=True)
def spool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The temporary folder, in which nothing of mahc may be left."""
    place = tmp_path / "spool"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setattr(tempfile, "tempdir", None)
    yield place
    assert list(place.glob("*mahc*")) == []
